export * from "./job.ts";
export { JobStore, type JobStoreOptions, LEASE } from "./job-store.ts";
export { JOBS_NAME } from "./open-jobs.ts";
