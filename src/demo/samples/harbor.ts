import { bundlerLog, serviceLog, testLog } from "./logs.ts";
import type { Random } from "./random.ts";
import { rounds } from "./rounds.ts";
import { matches, typescript, type Vocabulary } from "./source-code.ts";
import { edit, failed, glob, grep, read, shell } from "./tools.ts";
import { type Script, say, think } from "./transcript.ts";

/** A TypeScript service that lets boats book a berth. */
const PROJECT = "harbor-api";

const words: Vocabulary = {
  things: ["berth", "booking", "invoice", "vessel", "tariff", "quay"],
  verbs: ["confirm", "release", "price", "reserve", "settle", "extend"],
  fields: ["draught", "arrival", "deposit", "owner", "nights", "zone"],
};

const FILES = [
  "src/bookings/confirm.ts",
  "src/bookings/overlap.ts",
  "src/bookings/repository.ts",
  "src/invoices/render.ts",
  "src/invoices/period.ts",
  "src/tariffs/season.ts",
  "src/webhooks/deliver.ts",
  "src/webhooks/backoff.ts",
] as const;

/** The session that still runs: what is asked last, and what its model said before it fell silent. */
export const RUNNING = {
  title: "Cancellation webhook retries for ever",
  ask: "The cancellation webhook of one partner is retried for ever since Tuesday. Where does the limit get lost?",
  thought:
    "The limit is read from the subscription, and subscriptions made before March have none. A missing limit probably becomes NaN in the comparison, which is never true. I will look at how the attempt is counted before I say so.",
  note: "I am reading the delivery queue now.",
} as const;

export function harborScripts(random: Random): Script[] {
  const source = (lines: number) => typescript(words, lines, random);
  const found = (text: string, count: number) => matches(FILES, () => text, count, random);
  const more = (count: number, command: string) =>
    rounds(count, random, {
      files: FILES,
      source,
      found,
      symbols: ["confirmBooking", "overlaps", "seasonOf", "renderInvoice", "nextAttempt"],
      command,
      log: () => testLog(["bookings/confirm", "webhooks/deliver"], random.between(40, 160), [], random),
    });
  return [
    {
      title: "Two harbour masters can confirm the same berth",
      project: PROJECT,
      minutesAgo: 95,
      turns: [
        {
          ask: "Marina Sud got a double booking again: two harbour masters pressed Confirm within the same second and both guests received the mail. Find out how that can happen and close it.",
          steps: [
            [
              think(
                "Confirming reads the berth's bookings, decides that the dates are free, and writes afterwards. If nothing serialises those two steps, two requests can both see a free berth. I want to look at the repository first, then at who calls it, before I believe that.",
              ),
              grep("confirmBooking", found("await confirmBooking(booking.id, context)", 46), "*.ts"),
              glob("src/bookings/**/*.ts", FILES.slice(0, 3)),
            ],
            [
              read("src/bookings/confirm.ts", source(420)),
              read("src/bookings/overlap.ts", source(260)),
              read("src/bookings/repository.ts", source(640)),
            ],
            ...more(14, "npm test -- bookings"),
            [
              think(
                "The overlap check runs on the pool, the insert runs in a transaction of its own. There is no lock between them and no exclusion constraint in the table, so this is a plain check-then-act race.\n\nTwo ways to close it: lock the berth row before the check, or let the database refuse overlapping ranges. The constraint protects every writer, also the import script that nobody remembers. The lock gives a nicer error. I would do the constraint and translate its error.",
              ),
              shell(
                "npm test -- bookings",
                testLog(
                  ["bookings/confirm", "bookings/overlap", "bookings/repository"],
                  620,
                  ["bookings/confirm > two confirmations of one berth > only one of them wins"],
                  random,
                ),
                1,
              ),
            ],
            [
              edit(
                "src/bookings/repository.ts",
                "    return this.pool.insert(booking);",
                "    return this.pool.transaction(async (inside) => {\n      await inside.lockBerth(booking.berthID);\n      if (await inside.overlaps(booking)) throw new BerthTaken(booking);\n      return inside.insert(booking);\n    });",
              ),
              shell(
                "npm test -- bookings",
                testLog(["bookings/confirm", "bookings/overlap", "bookings/repository"], 640, [], random),
              ),
            ],
            [
              say(
                "The overlap check and the insert ran in two transactions, so two confirmations could both find the berth free. They now run in one transaction that locks the berth's row first, and the loser gets `BerthTaken` (shown as “somebody was faster”). The new test with two concurrent confirmations fails without the change.\n\nThe import script writes past the repository; I left it alone and suggest an exclusion constraint as a second step.",
              ),
            ],
          ],
        },
        {
          ask: "Good. Check the logs of last night: did it happen anywhere else?",
          steps: [
            [
              shell(
                "zcat logs/harbor-api.log.1.gz | grep -E 'confirm|overlap'",
                serviceLog(
                  [
                    "booking confirmed",
                    "overlap check passed",
                    "mail queued for guest",
                    "berth row read",
                    "session renewed",
                  ],
                  2600,
                  random,
                ),
              ),
              think(
                "Sorting by berth and looking for two confirmations less than two seconds apart leaves three pairs. One is a retry with the same request id, so two real cases: berth 14 at Marina Sud, which we know, and berth 3 at Quai Nord.",
              ),
            ],
            [
              say(
                "One more case besides Marina Sud: berth 3 at Quai Nord, confirmed twice 0.8 s apart at 18:42. Both guests arrive on Friday, so somebody should call one of them today.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Move the admin bundle to the new build",
      project: PROJECT,
      minutesAgo: 60 * 26,
      turns: [
        {
          ask: "The admin bundle still uses the old build and takes a minute and a half. Move it over, keep the file names of the entry chunks.",
          steps: [
            [
              read("build/admin.config.js", source(180)),
              shell(
                "npm run build:admin",
                bundlerLog(["src/admin", "src/shared", "node_modules/grid"], 2400, random),
              ),
            ],
            [
              think(
                "Most of the time goes into transforming the grid library, which ships modern modules already and needs no transform. The new build skips dependencies by default. Entry names come from one template, so keeping them is one option. The only thing without a counterpart is the loader that inlines SVG icons.",
              ),
              grep("\\.svg", found(`import icon from "./icons/anchor.svg";`, 88), "*.tsx"),
            ],
            [
              shell(
                "npm run build:admin",
                `${bundlerLog(["src/admin", "src/shared"], 1700, random)}\nerror: no loader for "src/admin/icons/anchor.svg"`,
                1,
              ),
            ],
            [
              edit("build/admin.config.js", "plugins: [],", "plugins: [inlineIcons()],"),
              shell("npm run build:admin", bundlerLog(["src/admin", "src/shared"], 1700, random)),
            ],
            [
              say(
                "Done: 84 s became 11 s, the entry chunks kept their names, and icons are inlined by a plugin of nine lines. The bundle is 140 kB smaller because the grid library is no longer transformed twice.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Invoice period is a day short in winter",
      project: PROJECT,
      minutesAgo: 60 * 51,
      turns: [
        {
          ask: "Invoices for stays across the end of October show one night less. Why?",
          steps: [
            [
              failed("read", { path: "src/invoice/period.ts" }, "File not found: src/invoice/period.ts"),
              read("src/invoices/period.ts", source(150)),
              think(
                "It divides the difference of two local midnights by 86,400,000. On the night when clocks go back that day has 25 hours, on the one in spring 23, and the floor makes 2.96 into 2. Nights are calendar days: they must be counted on dates, not on milliseconds.",
              ),
            ],
            [
              edit(
                "src/invoices/period.ts",
                "Math.floor((end - start) / 86_400_000)",
                "calendarDays(start, end, harbour.timeZone)",
              ),
              shell("npm test -- invoices", testLog(["invoices/period", "invoices/render"], 180, [], random)),
            ],
            [
              say(
                "Nights were counted in milliseconds, and the day on which the clocks change does not have 24 hours. They are counted on calendar dates in the harbour's time zone now.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: RUNNING.title,
      project: PROJECT,
      minutesAgo: 2,
      turns: [
        {
          ask: "What do we know about the webhooks of that partner?",
          steps: [
            ...more(9, "npm test -- webhooks"),
            [
              say(
                "They subscribe to cancellations only, since February. Deliveries succeeded until Tuesday; since then every one is answered with 410, and we go on sending.",
              ),
            ],
          ],
        },
      ],
    },
  ];
}
