export type * from "./cached-session.ts";
export { cacheFolder } from "./folder.ts";
export { type CacheOptions, type CacheState, MessageCache, type Written } from "./message-cache.ts";
export { DATABASE_NAME } from "./open-database.ts";
export { APPLICATION_ID, MIGRATIONS } from "./schema.ts";
