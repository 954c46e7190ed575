import { describe, expect, it } from "vitest";
import { BLOCKED_REASONS } from "../../src/contract/index.ts";
import { isPassing } from "../../src/state/index.ts";

describe("asking again", () => {
  it("makes sense where the state may pass, and nowhere else", () => {
    const passing = BLOCKED_REASONS.filter(isPassing);
    expect(passing).toEqual(["unavailable", "maintenance_required", "conflict"]);
    expect((["incomplete", "folder_unusable", "unknown_outcome"] as const).every(isPassing)).toBe(true);
    expect((["ambiguous", "vanished"] as const).some(isPassing)).toBe(false);
  });
});
