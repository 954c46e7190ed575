import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The HTTP header in which the fixture plugin tells the scripted provider what a request is for. */
export const KIND_HEADER = "x-kind";

/** A tool that the fixture plugin offers: it answers with the same text each time. */
export interface FixtureTool {
  readonly name: string;
  readonly output: string;
}

/**
 * Writes an OpenCode plugin into `folder` that names each model request's kind in `x-kind` and offers tools
 * with fixed outputs. Answers the folder, for `fixtureConfiguration`.
 */
export async function writeFixturePlugin(
  folder: string,
  tools: readonly FixtureTool[] = [],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", main: "./index.js" }));
  await writeFile(join(folder, "index.js"), source(tools));
  return folder;
}

function source(tools: readonly FixtureTool[]): string {
  return `export default {
  id: "opencode-prune-fixture",
  async setup(ctx) {
    await ctx.session.hook("http.request", (event) => {
      event.request.headers.set(${JSON.stringify(KIND_HEADER)}, event.kind);
    });
    const tools = ${JSON.stringify(tools)};
    if (tools.length === 0) return;
    await ctx.tool.transform((registry) => {
      for (const tool of tools)
        registry.add({
          name: tool.name,
          description: "Answers with a fixed text.",
          input: { type: "object", properties: {} },
          options: { codemode: false },
          execute: async () => ({ content: tool.output }),
        });
    });
  },
};
`;
}
