export type { HistoryCache } from "./cache-writer.ts";
export type { Clock } from "./clock.ts";
export { systemClock } from "./clock.ts";
export {
  type ContentQuery,
  type FoundContent,
  type SearchedSession,
  searchContent,
} from "./content-search.ts";
export { effectOf } from "./event-effect.ts";
export { createHistory, type History, type HistoryOptions } from "./history.ts";
export { createEventSource, createNativeSource } from "./native-source.ts";
export { createRpcSource, type RpcSource } from "./rpc-source.ts";
export type * from "./source.ts";
export { Stream } from "./stream.ts";
