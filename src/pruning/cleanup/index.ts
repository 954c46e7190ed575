export { type Cleanup, CleanupError, type CleanupOptions, createCleanup } from "./cleanup.ts";
