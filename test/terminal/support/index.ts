export * from "./app-daemon.ts";
export * from "./gateway.ts";
export * from "./terminal.ts";
