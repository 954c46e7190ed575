export * from "./pruning.ts";
export * from "./resolve.ts";
