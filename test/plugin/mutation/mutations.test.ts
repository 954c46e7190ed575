import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { mutations } from "./mutations.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("every mutation of `npm run test:mutation` still finds the text that it breaks, once", () => {
  const list = mutations(root);
  const lost = list.filter(({ file, find }) => readFileSync(root + file, "utf8").split(find).length !== 2);
  expect(lost.map(({ what, file }) => `${what} (${file})`)).toEqual([]);
  expect(list.length).toBeGreaterThan(90);
});
