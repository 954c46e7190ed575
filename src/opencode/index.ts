export * from "./address.ts";
export * from "./client.ts";
export * from "./connect.ts";
export * from "./discovery.ts";
export * from "./pages.ts";
export * from "./plugin-change.ts";
export * from "./plugin-lifecycle.ts";
