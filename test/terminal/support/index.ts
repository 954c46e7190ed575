export * from "./terminal.ts";
