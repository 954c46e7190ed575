export * from "./canonical.ts";
export * from "./limits.ts";
export * from "./outline.ts";
export * from "./revision.ts";
export * from "./rpc.ts";
export * from "./technical.ts";
