export * from "./cells.ts";
export * from "./sanitise.ts";
export * from "./shell-word.ts";
export * from "./wrap.ts";
