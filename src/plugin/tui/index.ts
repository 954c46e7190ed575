export * from "./companion.ts";
export type * from "./screen-host.ts";
