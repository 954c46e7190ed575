import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json, revisionOf, revisionOfCanonicalParts } from "../../src/contract/index.ts";
import vectors from "./revision-vectors.json" with { type: "json" };

describe("the revision", () => {
  for (const vector of vectors.vectors) {
    it(`agrees with the published vector: ${vector.name}`, () => {
      const content = JSON.parse(vector.content);
      expect(canonicalJson(content)).toBe(vector.canonical);
      expect(revisionOf(content)).toBe(vector.revision);
    });
  }

  it("is the same for every order of the keys", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (content) => {
        expect(revisionOf(shuffled(content) as unknown[])).toBe(revisionOf(content));
      }),
    );
  });

  it("is the same after a trip through JSON, and another for another content", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (one, other) => {
        expect(revisionOf(JSON.parse(JSON.stringify(one)))).toBe(revisionOf(one));
        const isSame = canonicalJson(one as Json) === canonicalJson(other as Json);
        expect(revisionOf(one) === revisionOf(other)).toBe(isSame);
      }),
    );
  });

  it("drops members that are undefined, and takes an undefined item for null", () => {
    expect(revisionOf([{ a: 1, b: undefined }])).toBe(revisionOf([{ a: 1 }]));
    expect(revisionOf([undefined])).toBe(revisionOf([null]));
  });

  it("can be told from the canonical parts", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (content) => {
        expect(revisionOfCanonicalParts(content.map((part) => canonicalJson(part as Json)))).toBe(
          revisionOf(content),
        );
      }),
    );
  });
});

/** The same value with the members of every object in the opposite order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).reverse();
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of members) copy[key] = shuffled(member);
  return copy;
}
