/** Bounds of the contract. Bytes are UTF-8 bytes of stored JSON. */
export const MAX_ID_LENGTH = 256;
export const MAX_PART_INDEX = 100_000;
export const MAX_PARTS = 100_001;
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH = 16;
export const MAX_CURSOR_LENGTH = 4_096;
/** How many sessions one request of the reading RPC may name. */
export const MAX_NAMED_SESSIONS = 1_000;
/** How many messages one request of `pruneBulk` may name. */
export const MAX_BULK = 2_000;
