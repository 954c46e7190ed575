import type { english } from "./english.ts";

/** The catalogue: every text of the screen, and the numbers, sizes and times in it. */
export type Words = ReturnType<typeof english>;
