export * from "./attempts.ts";
export { countCalls, nextCall } from "./calls.ts";
export { Deliveries, type Delivery, isNoDelivery } from "./delivery.ts";
export { RunTally } from "./run-tally.ts";
export * from "./send-requests.ts";
export * from "./session-request.ts";
