export * from "./app-daemon.ts";
export * from "./cells.ts";
export * from "./gateway.ts";
export * from "./golden.ts";
export * from "./terminal.ts";
export * from "./wreck.ts";
