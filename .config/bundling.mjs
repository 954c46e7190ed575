// How the executable is bundled, for the build and for the benchmarks that compare with it.

import { fileURLToPath } from "node:url";

const width = fileURLToPath(new URL("string-width.mjs", import.meta.url));

/**
 * Leaves out what every start would load for nothing. Ink imports react-devtools-core and ws only when DEV is set; zod
 * brings its messages in fifty languages, and ours are in English; string-width compiles an expression for every emoji.
 */
export const withoutBallast = {
  name: "without-ballast",
  setup(builder) {
    builder.onResolve({ filter: /^(react-devtools-core|ws)$/ }, () => ({
      path: "devtools",
      namespace: "empty",
    }));
    builder.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}" }));
    builder.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js"',
    }));
    builder.onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      importer === width ? undefined : { path: width },
    );
  },
};

/** What a bundled ES module needs in front of it, for the CommonJS in it. */
export const REQUIRE =
  'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);';
