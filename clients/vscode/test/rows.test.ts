import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call, Edit } from "../src/protocol.ts";
import { isAmbiguous, mayFit, newlyFailed, rowsOf } from "../src/rows.ts";

const EDIT: Edit = { state: "failed", code: "no-match", startLine: 5, endLine: 7 };
const CALL: Call = {
  id: "a1",
  host: "pi",
  toolCallId: "c1",
  uri: "file:///work/my%20app/load.go",
  state: "failed",
  startLine: 5,
  endLine: 7,
  summary: "edits[0] is not in load.go.",
  at: "2026-03-04T05:06:07.000Z",
  edits: [EDIT],
};
const clock = (at: string): string => at.slice(11, 16);

test("a call of one edit is one row", () => {
  assert.deepEqual(rowsOf([CALL], clock), [
    {
      key: "a1",
      call: CALL,
      target: { id: "a1" },
      state: "failed",
      label: "load.go:5-7",
      description: "edits[0] is not in load.go.",
      tooltip: "edits[0] is not in load.go.\n/work/my app/load.go, lines 5-7\nfailed, 05:06, pi",
      spoken: "failed, load.go:5-7, edits[0] is not in load.go.",
      context: "fits open",
      children: [],
    },
  ]);
});

test("the edits of a call are rows below it, each with its own index and state", () => {
  const call: Call = { ...CALL, edits: [{ state: "applied", startLine: 2, endLine: 2 }, { state: "failed", code: "ambiguous", startLine: 9 }] };
  const children = rowsOf([call], clock)[0]?.children ?? [];
  assert.deepEqual(
    children.map(({ key, target, label, description, context }) => [key, target, label, description, context]),
    [
      ["a1/0", { id: "a1", editIndex: 0 }, "edits[0]", "applied · line 2", ""],
      ["a1/1", { id: "a1", editIndex: 1 }, "edits[1]", "ambiguous · line 9", "fits open"],
    ],
  );
});

test("what can be done follows from state and code", () => {
  const context = (state: Call["state"], edit: Edit): string | undefined => rowsOf([{ ...CALL, state, edits: [edit] }], clock)[0]?.context;
  assert.equal(context("dismissed", { ...EDIT, state: "dismissed" }), "fits");
  assert.equal(context("failed", { state: "failed", code: "no-match" }), "open");
  assert.equal(context("failed", { ...EDIT, code: "malformed-arguments" }), "open");
  assert.equal(context("corrected", { ...EDIT, state: "corrected" }), "");
  assert.ok(isAmbiguous({ ...EDIT, code: "ambiguous" }));
  assert.ok(!isAmbiguous({ ...EDIT, code: "ambiguous", state: "applied" }));
  assert.ok(!isAmbiguous(undefined));
  assert.ok(mayFit({ ...EDIT, code: "whitespace-only" }));
});

test("file names and summaries are text, whatever stands in them", () => {
  const uri = `file:///work/${encodeURIComponent("$(flame)[x](command:y)\u202e.go")}`;
  const [row] = rowsOf([{ ...CALL, uri, summary: "[a](command:b)\n$(c)" }], clock);
  const all = [row?.label, row?.description, row?.tooltip, row?.spoken].join(" ");
  assert.doesNotMatch(all, /\$\(|\]\(|\u202e/);
});

test("a URI that cannot be decoded does no harm", () => {
  assert.equal(rowsOf([{ ...CALL, uri: "file:///work/%ff.go" }], clock)[0]?.label, "%ff.go:5-7");
});

test("only calls that failed since the start are news, once, the oldest first", () => {
  const at = (id: string, second: number, state: Call["state"] = "failed"): Call => ({ ...CALL, id, state, at: `2026-03-04T05:06:0${second}.000Z` });
  const calls = [at("d", 9), at("c", 8, "applied"), at("b", 7), at("a", 6), at("before", 1)];
  const since = Date.parse("2026-03-04T05:06:05.000Z");
  assert.deepEqual(newlyFailed(calls, since, new Set(["a"])).map(({ id }) => id), ["b", "d"]);
  assert.deepEqual(newlyFailed([{ ...CALL, at: "some day" }], since, new Set()), []);
});
