export { Reader } from "./reader.ts";
export { ReadingService } from "./reading-service.ts";
export { AS_COMPOSED, registerReading } from "./register.ts";
export { type Lease, leaseThread } from "./shared-thread.ts";
export { serveReads } from "./thread-server.ts";
