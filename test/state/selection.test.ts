import { describe, expect, it } from "vitest";
import { Selection } from "../../src/state/index.ts";
import { message, reasoning, tool } from "../components/fake-ports.ts";

const SESSION = "ses_1";

describe("the selection", () => {
  it("counts parts, messages and bytes as it goes", () => {
    const selection = new Selection();
    const one = message("msg_1", [tool(0, { bytes: 10 }), tool(1, { bytes: 20 })]);
    const two = message("msg_2", [tool(0, { bytes: 5 })]);
    selection.add(SESSION, one, one.parts);
    selection.add(SESSION, two, two.parts);
    selection.add(SESSION, one, one.parts);
    expect(selection.totals(SESSION)).toEqual({ parts: 3, messages: 2, bytes: 35 });
    selection.remove(SESSION, "msg_2", two.parts);
    expect(selection.totals(SESSION)).toEqual({ parts: 2, messages: 1, bytes: 30 });
    selection.clear(SESSION);
    expect(selection.totals(SESSION)).toEqual({ parts: 0, messages: 0, bytes: 0 });
    expect(selection.sessionIDs).toEqual([]);
  });

  it("follows a part to its new place", () => {
    const selection = new Selection();
    const before = message("msg_1", [reasoning(0), tool(1), tool(2)]);
    selection.add(SESSION, before, before.parts.slice(2));
    const after = message("msg_1", [tool(0, { toolID: "call_1" }), tool(1, { toolID: "call_2" })]);
    expect(selection.reconcile(SESSION, [after])).toEqual(new Map());
    expect(selection.references(SESSION)).toMatchObject([{ toolID: "call_2", index: 1 }]);
  });

  it("takes on a new size of a part that is still the same tool", () => {
    const selection = new Selection();
    const before = message("msg_1", [tool(0, { bytes: 10 })]);
    selection.add(SESSION, before, before.parts);
    selection.reconcile(SESSION, [message("msg_1", [tool(0, { bytes: 70 })])]);
    expect(selection.totals(SESSION)).toEqual({ parts: 1, messages: 1, bytes: 70 });
  });

  it("lets go of what vanished, and says how much of which message", () => {
    const selection = new Selection();
    const one = message("msg_1", [tool(0), tool(1)]);
    const two = message("msg_2", [tool(0)]);
    selection.add(SESSION, one, one.parts);
    selection.add(SESSION, two, two.parts);
    const gone = selection.reconcile(SESSION, [message("msg_1", [tool(0, { toolID: "call_1" })])]);
    expect(gone).toEqual(
      new Map([
        ["msg_1", 1],
        ["msg_2", 1],
      ]),
    );
    expect(selection.totals(SESSION)).toEqual({ parts: 1, messages: 1, bytes: 1_000 });
  });

  it("lets go of a message that can no longer be pruned", () => {
    const selection = new Selection();
    const before = message("msg_1", [tool(0)]);
    selection.add(SESSION, before, before.parts);
    const after = message("msg_1", [tool(0)], { unprunable: "unknown_part" });
    expect(selection.reconcile(SESSION, [after])).toEqual(new Map([["msg_1", 1]]));
  });

  it("never grows: where it is not certain which of two was meant, neither stays selected", () => {
    const selection = new Selection();
    const twins = [reasoning(0, { created: 7 }), reasoning(1, { created: 7 })];
    const before = message("msg_1", twins);
    selection.add(SESSION, before, twins.slice(0, 1));
    const after = message("msg_1", [reasoning(0, { created: 7 }), reasoning(1, { created: 7 })]);
    expect(selection.reconcile(SESSION, [after])).toEqual(new Map([["msg_1", 1]]));
    expect(selection.totals(SESSION).parts).toBe(0);
  });

  it("keeps two that look the same when both were meant", () => {
    const selection = new Selection();
    const before = message("msg_1", [reasoning(0, { created: 7 }), reasoning(1, { created: 7 })]);
    selection.add(SESSION, before, before.parts);
    const after = message("msg_1", [reasoning(0, { created: 7 }), reasoning(1, { created: 7 })]);
    expect(selection.reconcile(SESSION, [after])).toEqual(new Map());
    expect(selection.totals(SESSION).parts).toBe(2);
  });

  it("keeps sessions apart", () => {
    const selection = new Selection();
    const one = message("msg_1", [tool(0)]);
    selection.add("ses_a", one, one.parts);
    selection.add("ses_b", one, one.parts);
    selection.reconcile("ses_a", []);
    expect(selection.sessionIDs).toEqual(["ses_b"]);
  });
});
