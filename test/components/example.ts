import {
  type FakeHistory,
  HOUR,
  MINUTE,
  message,
  NOW,
  outline,
  reasoning,
  session,
  tool,
} from "./fake-ports.ts";

const DAY = 24 * HOUR;

/** A history that looks like real work: three projects, every state that a session can be in, several scripts. */
export function exampleHistory({ history }: { readonly history: FakeHistory }): void {
  history.putSession(
    session("ses_migrate", {
      title: "Migrate the orders table to the new schema",
      directory: "/home/ada/work/orders-api",
      updated: NOW - 4 * MINUTE,
      messages: 48,
      storedBytes: 4_300_000,
      technical: { parts: 131, bytes: 4_120_000 },
    }),
    session("ses_build", {
      title: "ビルドが遅い原因を調べる 🚀",
      directory: "/home/ada/work/site",
      updated: NOW - 2 * HOUR,
      messages: 31,
      storedBytes: 2_950_000,
      technical: { parts: 88, bytes: 2_410_000 },
      activity: "running",
    }),
    session("ses_login", {
      title: "Fix the login form",
      directory: "/home/ada/work/site",
      updated: NOW - 26 * HOUR,
      messages: 12,
      storedBytes: 610_000,
      technical: { parts: 35, bytes: 402_000 },
      activity: "reverted",
    }),
    session("ses_explore", {
      title: "Explore the payment module",
      parentID: "ses_migrate",
      directory: "/home/ada/work/orders-api/packages/payments",
      updated: NOW - 3 * DAY,
      messages: 7,
      storedBytes: 190_000,
      technical: { parts: 19, bytes: 171_000 },
      confirmed: false,
      refreshing: true,
    }),
    session("ses_names", {
      title: "Renommer les modèles « clé » e\u0316t",
      directory: "/home/ada/work/données",
      updated: NOW - 40 * DAY,
      messages: 5,
      storedBytes: 42_000,
      technical: { parts: 4, bytes: 9_800 },
    }),
    session("ses_hostile", {
      title: "\x1b]0;owned\x07\x1b[31mred \u202egnp.exe\u200b",
      directory: "/tmp/\x1b[2J",
      updated: NOW - 90 * DAY,
      messages: 1,
      storedBytes: 2_000,
      technical: { parts: 1, bytes: 700 },
    }),
    session("ses_unread", { title: "", directory: "/home/ada", updated: NOW - 200 * DAY, confirmed: false }),
  );
  history.putOutline(
    outline("ses_migrate", [
      message(
        "msg_1",
        [
          reasoning(0, { label: "The orders table is read in three places, so", bytes: 2_100 }),
          tool(1, { toolName: "grep", label: "orders_v1", bytes: 48_000 }),
          tool(2, { toolName: "read", label: "src/orders/repository.ts", bytes: 131_000 }),
        ],
        { created: NOW - 50 * MINUTE },
      ),
      message(
        "msg_2",
        [
          tool(0, { toolID: "call_b0", label: "npm run build -- --verbose 2>&1", bytes: 2_900_000 }),
          tool(1, {
            toolID: "call_b1",
            toolName: "bash",
            label: "psql -c 'select 漢字 from 注文'",
            status: "error",
            bytes: 3_400,
          }),
          reasoning(2, { label: "The build fails because the view still names the", bytes: 1_900 }),
        ],
        { created: NOW - 30 * MINUTE },
      ),
      message(
        "msg_3",
        [
          tool(0, {
            toolID: "call_c0",
            toolName: "webfetch",
            label: "https://example.org/\x1b[31m",
            bytes: 88_000,
          }),
        ],
        { created: NOW - 20 * MINUTE },
      ),
      message(
        "msg_4",
        [tool(0, { toolID: "call_d0", label: "npm test", status: "running", bytes: 12_000 })],
        { created: NOW - 4 * MINUTE, unprunable: "unsettled_tool" },
      ),
    ]),
  );
  history.contents.set("msg_1", [
    { type: "text", text: "Let me look." },
    thought("The orders table is read in three places.", 2_100),
    {
      type: "tool",
      id: "call_2",
      name: "read",
      state: {
        status: "completed",
        input: { filePath: "src/orders/repository.ts", limit: 40 },
        content: [
          {
            type: "text",
            text: "export class Orders {\n\tread() {}\n}\nvalue = \x1b[31mred\x1b[0m, 漢字 and 👩‍💻",
          },
          { type: "image", mime: "image/png", filename: "er-diagram.png", data: "iVBORw0KGgo=" },
        ],
      },
    },
  ]);
}

/** Stored reasoning of exactly so many bytes. */
function thought(text: string, bytes: number): Record<string, unknown> {
  const part = (words: string) => ({ type: "reasoning", text: words, time: { created: NOW - HOUR } });
  return part(text + ".".repeat(bytes - Buffer.byteLength(JSON.stringify(part(text)))));
}
