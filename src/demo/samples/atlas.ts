import { bundlerLog, serviceLog, testLog } from "./logs.ts";
import type { Random } from "./random.ts";
import { rounds } from "./rounds.ts";
import { component, matches, type Vocabulary } from "./source-code.ts";
import { edit, failed, grep, read, shell, webfetch, write } from "./tools.ts";
import { type Script, say, think } from "./transcript.ts";

/** A web site that shows sea charts. */
const PROJECT = "atlas-site";

const words: Vocabulary = {
  things: ["chart", "layer", "legend", "marker", "route", "panel"],
  verbs: ["toggle", "filter", "pick", "collapse", "share", "measure"],
  fields: ["zoom", "depth", "label", "bearing", "visible", "theme"],
};

const FILES = [
  "src/map/LayerPanel.tsx",
  "src/map/Legend.tsx",
  "src/map/Markers.tsx",
  "src/settings/SettingsPage.tsx",
  "src/i18n/pt.json",
] as const;

export function atlasScripts(random: Random): Script[] {
  const source = (lines: number) => component(words, lines, random);
  const found = (text: string, count: number) => matches(FILES, () => text, count, random);
  const more = (count: number, command: string) =>
    rounds(count, random, {
      files: FILES,
      source,
      found,
      symbols: ["useLayers", "formatDepth", "pickMarker", "measureText", "sharedRoute"],
      command,
      log: () => testLog(["map/legend", "map/markers", "settings"], random.between(40, 300), [], random),
    });
  return [
    {
      title: "Screenshots differ on the build machine only",
      project: PROJECT,
      minutesAgo: 60 * 8,
      turns: [
        {
          ask: "Eleven screenshot tests fail on the build machine and pass on every laptop. Find the difference.",
          steps: [
            [
              shell(
                "npm run test:screens",
                testLog(
                  ["map/legend", "map/layers", "settings"],
                  1900,
                  ["map/legend > depth labels", "map/legend > dark theme", "settings > narrow window"],
                  random,
                ),
                1,
              ),
              think(
                "All failures show digits. A proportional font that is missing there would shift letters as well, so it is not simply a missing font; more likely the fallback has the same letters but other digit widths.",
              ),
            ],
            [
              shell(
                "DEBUG=render npm run test:screens -- --only legend",
                serviceLog(
                  [
                    "font matched: Source Sans",
                    "font fell back: DejaVu Sans",
                    "glyph run measured",
                    "frame painted",
                    "tile decoded",
                  ],
                  5200,
                  random,
                ),
              ),
              read("src/map/Legend.tsx", source(310)),
            ],
            ...more(17, "npm run test:screens -- --only map"),
            [
              think(
                "The log says that it falls back for tabular digits alone. The legend asks for tabular figures, and the packaged font on the build machine is an older version without that feature, so the renderer takes the digits from another family.",
              ),
              edit(
                "src/map/Legend.tsx",
                "fontFeatureSettings: 'tnum'",
                "fontVariantNumeric: 'tabular-nums', fontFamily: 'Atlas Digits'",
              ),
              shell(
                "npm run test:screens",
                testLog(["map/legend", "map/layers", "settings"], 1911, [], random),
              ),
            ],
            [
              say(
                "The build machine has an older version of our font without tabular digits, so digits came from another family there. The legend now uses the digits font that we ship ourselves, and all 1,911 screenshots match on both.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Página de definições em português",
      project: PROJECT,
      minutesAgo: 60 * 54,
      turns: [
        {
          ask: "Translate the settings page to Portuguese (Portugal, not Brazil). Names of charts stay as they are, 海図 and Морская карта too.",
          steps: [
            [
              grep("t\\(", found(`t("settings.depth.unit")`, 132), "*.tsx"),
              read("src/settings/SettingsPage.tsx", source(240)),
            ],
            [
              think(
                "Portuguese of Portugal: “ecrã”, not “tela”; “guardar”, not “salvar”; the informal second person is fine for this site. Plurals need two forms. “Profundidade” is long for the narrow layout, so the label must be allowed to wrap.",
              ),
              write(
                "src/i18n/pt.json",
                `{\n${Array.from({ length: 120 }, (_, index) => `  "settings.item${index}": "Definição n.º ${index} — guardar a posição no ecrã (海図 ${index})"`).join(",\n")}\n}\n`,
              ),
              shell("npm test -- i18n", testLog(["i18n/plurals", "i18n/coverage"], 90, [], random)),
            ],
            [
              say(
                "A página está traduzida: 120 textos, plurais incluídos. Os nomes das cartas ficaram como estavam. “Profundidade” quebra em duas linhas no ecrã estreito; vi-o no navegador e fica bem.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Keyboard pass over the map view",
      project: PROJECT,
      minutesAgo: 60 * 75,
      turns: [
        {
          ask: "Go through the map view with the keyboard only and fix what cannot be reached.",
          steps: [
            [
              read("src/map/LayerPanel.tsx", source(330)),
              read("src/map/Markers.tsx", source(280)),
              grep("onClick=", found('<div className="marker" onClick={open}>', 64), "*.tsx"),
              failed(
                "webfetch",
                { url: "https://intranet.example/keyboard" },
                "The request timed out after 30 seconds.",
              ),
            ],
            ...more(7, "npm test -- markers"),
            [
              think(
                "Markers are plain boxes with a click handler: no role, no focus, no key. There can be 400 of them, so making each a tab stop would be worse than nothing. One tab stop for the map, arrow keys between markers in reading order, Enter to open.",
              ),
              webfetch(
                "https://intranet.example/roving-focus",
                "One element of a group can be reached by Tab; arrow keys move inside of the group. ".repeat(
                  90,
                ),
              ),
              edit(
                "src/map/Markers.tsx",
                '<div className="marker" onClick={open}>',
                '<button type="button" className="marker" tabIndex={current ? 0 : -1} onClick={open}>',
              ),
              shell("npm run build", bundlerLog(["src/map", "src/settings"], 520, random)),
            ],
            [
              say(
                "Everything on the map view can be reached now: one Tab stop for all markers with arrow keys inside, the layer panel opens with Enter, and Escape returns to where the focus was. The legend's colour picker is the one thing left; it is a component of the vendor.",
              ),
            ],
          ],
        },
      ],
    },
    {
      title: "Lower case the route names in links",
      project: PROJECT,
      minutesAgo: 60 * 100,
      turns: [
        {
          ask: "Links to routes should be lower case.",
          steps: [
            [edit("src/map/Legend.tsx", "href={route.name}", "href={route.name.toLowerCase()}")],
            [say("Done, in the one place that builds them.")],
          ],
        },
      ],
    },
  ];
}
