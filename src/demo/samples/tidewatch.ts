import { cargoLog, serviceLog, testLog } from "./logs.ts";
import type { Random } from "./random.ts";
import { rounds } from "./rounds.ts";
import { matches, rust, type Vocabulary } from "./source-code.ts";
import { edit, failed, grep, read, shell, webfetch, write } from "./tools.ts";
import { type Script, say, think } from "./transcript.ts";

/** A Rust daemon that reads tide gauges. */
const PROJECT = "tidewatch";

const words: Vocabulary = {
  things: ["gauge", "station", "sample", "filter", "reading", "datum"],
  verbs: ["poll", "average", "decode", "clamp", "publish", "calibrate"],
  fields: ["level", "pressure", "offset", "drift", "quality", "epoch"],
};

const FILES = [
  "crates/gauge/src/poll.rs",
  "crates/gauge/src/decode.rs",
  "crates/filter/src/average.rs",
  "crates/station/src/name.rs",
  "crates/publish/src/queue.rs",
] as const;

const CRATES = ["gauge", "filter", "station", "publish", "datum"];

/** The title of the session in which a revert is staged. */
export const REVERTED = "Replace the polling loop by file notifications";

export function tidewatchScripts(random: Random): Script[] {
  const source = (lines: number) => rust(words, lines, random);
  const found = (text: string, count: number) => matches(FILES, () => text, count, random);
  const more = (count: number, command: string) =>
    rounds(count, random, {
      files: FILES,
      source,
      found,
      symbols: ["parse_station", "window_sum", "poll_once", "decode_frame", "publish_all"],
      command,
      log: () => cargoLog(CRATES, random.between(30, 260), random),
    });
  return [
    {
      title: "Why does a clean build take six minutes?",
      project: PROJECT,
      minutesAgo: 60 * 5,
      turns: [
        {
          ask: "A clean release build takes six minutes on the build machine. Measure first, then tell me what is worth doing.",
          steps: [
            [
              think(
                "Measure before guessing: the timings report says which crates are on the critical path. I expect code generation in the decoder's macros, but the last two times I expected something here I was wrong.",
              ),
              shell("cargo build --release --timings", cargoLog(CRATES, 1500, random)),
            ],
            [
              shell(
                "cargo llvm-lines -p gauge | head -200",
                serviceLog(["decode::frame<T>", "poll::station<T>"], 900, random),
              ),
              read("crates/gauge/src/decode.rs", source(700)),
              grep("#\\[derive\\(", found("#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]", 210)),
            ],
            ...more(11, "cargo build --release"),
            [
              think(
                "The frame decoder is generic over the transport and gets compiled for five of them. Nothing in it depends on the transport but one read call. With a trait object at that single place it would be compiled once. That is roughly 40 % of the lines that the compiler generates for this crate.",
              ),
              edit(
                "crates/gauge/src/decode.rs",
                "pub fn frame<T: Transport>(from: &mut T)",
                "pub fn frame(from: &mut dyn Transport)",
              ),
              shell("cargo build --release --timings", cargoLog(CRATES, 1480, random)),
            ],
            [
              say(
                "The frame decoder was compiled once for each of five transports. With a trait object at its one read call a clean release build takes 3 min 40 s instead of 6 min 5 s, and decoding is as fast as before within the noise. The remaining time is link time optimisation; turning that off for development builds is a decision for you.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Station ids that start with a minus sign",
      project: PROJECT,
      minutesAgo: 60 * 30,
      turns: [
        {
          ask: "The Norwegian feed has station ids like -204. We reject them, and the whole batch with them.",
          steps: [
            [
              read("crates/station/src/name.rs", source(210)),
              grep("parse_station", found("let station = parse_station(field)?;", 17)),
            ],
            [
              failed(
                "edit",
                { path: "crates/station/src/name.rs", oldString: "fn parse(", newString: "fn parse_id(" },
                "The text to replace was found 3 times; it must be found once.",
              ),
              edit(
                "crates/station/src/name.rs",
                "if !first.is_ascii_digit() {",
                "if !(first.is_ascii_digit() || first == b'-') {",
              ),
              shell("cargo test -p station", testLog(["station::name", "station::batch"], 240, [], random)),
            ],
            [
              say(
                "Ids may start with a minus sign now, and one bad row no longer rejects its batch: it is counted and named in the log, the others go through.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Averaging filter in fixed point",
      project: PROJECT,
      minutesAgo: 60 * 49,
      turns: [
        {
          ask: "Port the averaging filter to fixed point for the boards without a floating point unit. It must not differ by more than half a millimetre.",
          steps: [
            [
              read("crates/filter/src/average.rs", source(380)),
              think(fixedPointThought()),
              webfetch("https://intranet.example/notes/fixed-point", fixedPointNotes()),
            ],
            [
              think(
                "With 16 fraction bits one step is 15 micrometres at a range of ±32 m. The window is at most 600 samples, so the sum needs 10 more bits: 42 in all, which fits an i64 with much to spare. Rounding half away from zero at the end keeps the error below one step. So the half millimetre is met by a factor of thirty, and I can say so with a proof rather than with a test alone.",
              ),
              write("crates/filter/src/fixed.rs", source(260)),
              shell(
                "cargo test -p filter",
                testLog(
                  ["filter::fixed", "filter::average"],
                  900,
                  ["filter::fixed > rounds half to even (the last day of the month)"],
                  random,
                ),
                101,
              ),
            ],
            [
              think(
                "The failing case expects half to even, my code rounds half away from zero. The float version rounds half to even by accident of the hardware. Matching it costs two instructions, so match it.",
              ),
              edit("crates/filter/src/fixed.rs", "(sum + HALF) >> BITS", "round_half_even(sum, BITS)"),
              shell("cargo test -p filter", testLog(["filter::fixed", "filter::average"], 901, [], random)),
            ],
            [
              say(
                "The filter works on 48.16 fixed point. Against the floating point one it differs by at most 15 µm over a year of recorded samples; the bound is in the module's comment with its proof.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: REVERTED,
      project: PROJECT,
      minutesAgo: 60 * 3,
      turns: [
        {
          ask: "The poller wakes up four times a second for nothing. Can we use file notifications?",
          steps: [
            [
              read("crates/gauge/src/poll.rs", source(330)),
              think(
                "Gauges write to a ring file. Notifications work on a local disk, but two of the sites mount it over the network, where the kernel sees no remote writes. A fallback is needed there, and then the polling code stays anyway.",
              ),
            ],
            [
              say(
                "Possible, with a fallback: two sites mount the ring file over the network, where no notification arrives. I would watch where it works and poll once a second elsewhere.",
              ),
            ],
          ],
        },
        {
          ask: "Then try it.",
          steps: [
            ...more(6, "cargo test -p gauge"),
            [
              write("crates/gauge/src/watch.rs", source(190)),
              shell(
                "cargo test -p gauge",
                testLog(
                  ["gauge::watch", "gauge::poll"],
                  420,
                  ["gauge::watch > survives a restart (a slow disk)"],
                  random,
                ),
                101,
              ),
            ],
            [
              think(
                "After a restart the ring file is replaced, and the watch stays on the old inode. It has to watch the folder instead. That is more than a small change, so I stop here and ask.",
              ),
              say(
                "The watch is lost when the ring file is replaced. It should watch the folder instead; shall I?",
              ),
            ],
          ],
        },
      ],
    },
  ];
}

function fixedPointThought(): string {
  return [
    "What has to be preserved? The filter is a weighted mean over a sliding window; weights are 1, 2 or 4 by the quality flag, and gaps are skipped, not interpolated.",
    "A running sum in floating point drifts, so the present code adds the window up again each time. In integers the running sum is exact, so the new one can be incremental, and cheaper than the old even where there is a floating point unit.",
    "The division at the end is by the sum of the weights, at most 2,400. It has to be rounded, not truncated, or the mean of negative levels would be biased upwards.",
    "Input arrives in tenths of a millimetre as integers already. The conversion to floating point was only ever there for this filter.",
  ].join("\n\n");
}

function fixedPointNotes(): string {
  const rule =
    "Keep the scale in the type, never in a comment. A value without its scale cannot be checked by a reader.";
  const notes = Array.from(
    { length: 60 },
    (_, index) =>
      `## Note ${index + 1}\n\n${rule}\n\nAt ${index + 4} fraction bits one step is ${(1000 / 2 ** (index % 16)).toFixed(4)} mm; a window of ${(index + 1) * 10} samples needs ${Math.ceil(Math.log2((index + 1) * 10))} more bits for its sum.`,
  );
  return ["# Fixed point on the small boards", ...notes].join("\n\n");
}
