import { describe, expect, it } from "vitest";
import { crashReport } from "../../components/terminal/crash-report.ts";

const circumstances = {
  version: "1.0.0",
  screens: ["sessions", "parts"],
  size: { columns: 80, rows: 24 },
} as const;

describe("a crash report", () => {
  it("says where it happened, on which screens and in which terminal", () => {
    const report = crashReport(new RangeError("secret"), circumstances);
    expect(report).toContain("screens: sessions > parts; terminal: 80 x 24");
    expect(report).toContain("kind: RangeError");
    expect(report).toContain("crash-report.test.ts");
    expect(report).not.toContain("secret");
  });

  it("takes nothing of a message that looks like a stack", () => {
    const report = crashReport(new Error("\n    at hunter2 (/secret)\n    at more"), circumstances);
    expect(report).not.toMatch(/hunter2|secret|more/);
  });

  it("takes nothing of what was thrown that is no error, or of a name that is no name", () => {
    expect(crashReport("hunter2", circumstances)).not.toContain("hunter2");
    class Odd extends Error {}
    Object.defineProperty(Odd, "name", { value: "hunter2 secret" });
    expect(crashReport(new Odd("x"), circumstances)).not.toContain("hunter2");
  });

  it("leaves the places out where the message cannot be told from them", () => {
    const error = new Error("second");
    error.stack = "Error: first\n    at hunter2 (secret.ts:1:1)";
    expect(crashReport(error, circumstances)).not.toContain("    at");
  });
});
