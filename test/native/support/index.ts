export * from "./daemon-client.ts";
export * from "./native.ts";
