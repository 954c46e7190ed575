export * from "./cells.ts";
export * from "./sanitise.ts";
export * from "./wrap.ts";
