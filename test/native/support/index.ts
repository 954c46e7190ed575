export * from "./daemonClient.ts";
export * from "./native.ts";
