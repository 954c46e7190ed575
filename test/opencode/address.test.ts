import { describe, expect, it } from "vitest";
import { AddressError, parseAddress } from "../../src/opencode/index.ts";

const safely = { insecure: false };

describe("the address of a server", () => {
  it.each([
    ["http://127.0.0.1:4096", "http://127.0.0.1:4096"],
    ["http://localhost:4096/", "http://localhost:4096"],
    ["http://[::1]:4096", "http://[::1]:4096"],
    ["http://127.8.9.1:80", "http://127.8.9.1"],
    ["https://opencode.example/behind/proxy/?x=1#y", "https://opencode.example/behind/proxy"],
  ])("takes %s", (given, meant) => {
    expect(parseAddress(given, safely)).toBe(meant);
  });

  it.each(["", "nonsense", "localhost:4096", "ftp://localhost", "http://", "file:///etc/passwd"])(
    "says that %j is not one",
    (given) => {
      expect(() => parseAddress(given, safely)).toThrow(/is not the address of a server; give one such as/);
    },
  );

  it.each([
    "http://example.com:4096",
    "http://192.168.1.5",
    "http://127.0.0.1.example.com",
    "http://0.0.0.0:1",
  ])("refuses plain http to %s unless told otherwise", (given) => {
    expect(() => parseAddress(given, safely)).toThrow(/plain http to another machine.*--insecure/);
    expect(parseAddress(given, { insecure: true })).toBe(given);
  });

  it.each([
    "http://opencode:hunter2@127.0.0.1:4096",
    "https://hunter2@example.com",
    "ftp://opencode:hunter2@x",
    "opencode:hunter2@127.0.0.1:4096",
    "http://opencode:hunter2@",
  ])("never repeats what could be a password", (given) => {
    let problem: unknown;
    try {
      parseAddress(given, { insecure: true });
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(AddressError);
    expect(String(problem)).not.toContain("hunter2");
  });

  it("shows nothing that a terminal would obey", () => {
    expect(() => parseAddress("\u001b[31mred", safely)).toThrow('"?[31mred" is not the address');
  });
});
