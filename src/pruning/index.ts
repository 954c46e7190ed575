export * from "./cleanup/index.ts";
export * from "./filter.ts";
export * from "./jobs/index.ts";
export * from "./pruning.ts";
export * from "./reference.ts";
export * from "./resolve.ts";
export { Deliveries, isNoDelivery } from "./sending/index.ts";
