import type { SessionSummary } from "../../../src/state/index.ts";
import { FakeHistory, message, outline, reasoning, session, tool } from "../../components/fake-ports.ts";

const DIRECTORIES = ["/home/ada/work/api", "/home/ada/work/site", "/home/ada/work/données"];
const TOOLS = ["bash", "read", "grep", "edit", "webfetch"];

export function historyOfSessions(count: number): FakeHistory {
  const history = new FakeHistory();
  history.edit({ sessions: new Map(sessions(count).map((one) => [one.sessionID, one])) });
  return history;
}

/** One session that holds `count` parts, five in a message. */
export function historyOfParts(count: number): FakeHistory {
  const history = historyOfSessions(1);
  const messages = Array.from({ length: count / 5 }, (_, number) =>
    message(`msg_${number}`, [
      reasoning(0, {
        bytes: 400 + number,
        label: `Thinking about step ${number}, which needs a closer look`,
      }),
      ...[1, 2, 3, 4].map((index) =>
        tool(index, {
          toolID: `call_${number}_${index}`,
          toolName: TOOLS[(number + index) % TOOLS.length] ?? "bash",
          bytes: 1_000 + ((number * 7919 + index * 104_729) % 200_000),
          label: `src/module-${number % 97}/file-${index}.ts`,
        }),
      ),
    ]),
  );
  history.putOutline(outline("ses_0", messages));
  return history;
}

function sessions(count: number): SessionSummary[] {
  return Array.from({ length: count }, (_, number) =>
    session(`ses_${number}`, {
      title: `Session ${number}: ${number % 3 === 0 ? "修正登录表单" : "make the build faster"}`,
      directory: DIRECTORIES[number % DIRECTORIES.length] ?? "/",
      messages: number % 500,
      storedBytes: 2_000_000 + number,
      technical: { parts: number % 900, bytes: (number * 7919) % 2_000_000 },
    }),
  );
}
