export * from "./filter.ts";
export * from "./pruning.ts";
export * from "./reference.ts";
export * from "./resolve.ts";
