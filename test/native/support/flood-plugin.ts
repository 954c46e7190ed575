import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const FLOOD_RPC = "opencode-prune-flood";

/**
 * Writes an OpenCode plugin whose RPC method `flood` puts `{count}` events with `{bytes}` each on the daemon's
 * stream, faster than anybody types. Answers its folder, for the caller to remove.
 */
export async function writeFloodPlugin(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "opencode-prune-flood-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", main: "./index.js" }));
  await writeFile(
    join(folder, "index.js"),
    `const any = { type: "object", properties: {} };
export default {
  id: ${JSON.stringify(FLOOD_RPC)},
  async setup(ctx) {
    const flood = await ctx.rpc.register(
      { id: ${JSON.stringify(FLOOD_RPC)}, methods: { flood: { input: any, output: any } }, events: { drop: { schema: any } } },
      {
        flood: async ({ count, bytes }) => {
          const text = "y".repeat(bytes);
          for (let n = 0; n < count; n += 1) await flood.events.emit("drop", { n, text });
          return { count };
        },
      },
    );
    return () => flood.dispose();
  },
};
`,
  );
  return folder;
}
