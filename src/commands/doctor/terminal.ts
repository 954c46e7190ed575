import type { Area } from "./check.ts";

/** What of a terminal the checks look at. */
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** The smallest screen on which the app shows everything. */
const COLUMNS = 60;
const ROWS = 15;

export function checkTerminal(
  area: Area,
  { isTerminal, columns, rows, environment, platform }: TerminalFacts,
): void {
  if (!isTerminal) {
    area.ok("terminal", "none here: the app cannot be opened, every command works");
    return;
  }
  if (columns >= COLUMNS && rows >= ROWS) area.ok("size", `${columns} × ${rows}`);
  else area.warn("size", `${columns} × ${rows}`, `make the window ${COLUMNS} × ${ROWS} at least`);
  const { TERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG } = environment;
  if (TERM === undefined || TERM === "" || TERM === "dumb") {
    area.warn(
      "kind",
      TERM ? `TERM is ${TERM}` : "TERM is not set",
      "use a terminal that can move its cursor",
    );
  } else area.ok("kind", `TERM is ${TERM}`);
  area.ok("colour", NO_COLOR ? "off, since NO_COLOR is set" : "on; NO_COLOR=1 turns it off");
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  if (platform === "win32" || /utf-?8/i.test(locale)) area.ok("characters", locale || "UTF-8");
  else {
    area.warn(
      "characters",
      locale === "" ? "no locale is set" : `the locale is ${locale}`,
      "set LANG to a UTF-8 locale, such as C.UTF-8",
    );
  }
}
