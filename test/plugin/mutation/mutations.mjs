import { boundaryMutations } from "./boundary-mutations.mjs";
import { serviceMutations } from "./service-mutations.mjs";

/**
 * One way to break the plugin, and the test that must see it. \`find\` occurs once in the file; \`test\` is the
 * beginning of the full name of a test in \`test/plugin/SUITE.test.ts\`.
 *
 * @typedef {{ what: string, file: string, find: string, replace: string, suite: string, test: string }} Mutation
 */

/** @returns {Mutation[]} */
export function mutations(root) {
  return [...boundaryMutations(root), ...serviceMutations];
}
