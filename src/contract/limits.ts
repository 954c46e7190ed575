/** Bounds of the contract. Bytes are UTF-8 bytes of stored JSON. */
export const MAX_ID_LENGTH = 256;
export const MAX_PART_INDEX = 100_000;
export const MAX_PARTS = 100_001;
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH = 16;
