import type { ScreenCommand, ScreenHost } from "./screen-host.ts";

interface Instruction {
  readonly title: string;
  readonly message: string;
}

/** The command of the palette and the prompt: it says how to open the companion for the session on the screen. */
export function pruneCommand(ui: ScreenHost["ui"], shownSession: () => string | undefined): ScreenCommand {
  return {
    id: "opencode-prune.open",
    title: "Prune this session",
    description: "Open opencode-prune for it",
    group: "Session",
    palette: true,
    slash: { name: "prune" },
    run: () => void show(ui, instructionFor(shownSession())),
  };
}

async function show({ dialog }: ScreenHost["ui"], instruction: Instruction): Promise<void> {
  try {
    await dialog.alert(instruction);
  } catch {
    // The command then shows nothing; the UI goes on.
  }
}

/** What the dialog says, with a session on the screen and without. */
function instructionFor(sessionID: string | undefined): Instruction {
  const [what, command] = sessionID
    ? ["of this session", `opencode-prune --session ${sessionID}`]
    : ["of a session", "opencode-prune"];
  return {
    title: "Prune with opencode-prune",
    message: `To see and prune the tool outputs and reasoning ${what}, run this in another terminal:\n\n${command}\n\nWhat you prune there disappears here by itself.`,
  };
}
