export * from "./daemon.ts";
export * from "./fixtureConfiguration.ts";
export * from "./fixturePlugin.ts";
export * from "./gate.ts";
export * from "./provider.ts";
export * from "./runtime.ts";
