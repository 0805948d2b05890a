import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../src/protocol.ts";
import { argumentsOf, protocolOf, targetOf } from "../src/protocol.ts";
import * as words from "../src/words.ts";

const CALL: Call = {
  id: "a1",
  host: "pi",
  toolCallId: "c1",
  uri: "file:///work/load.go",
  state: "failed",
  startLine: 5,
  endLine: 7,
  summary: "edits[0] is not in load.go.",
  at: "2026-03-04T05:06:07.000Z",
  edits: [],
};

const GOLDEN: readonly (readonly [string, string])[] = [
  [words.NAME, "Edit Assist"],
  [words.SHOW_INSTRUCTIONS, "Show Install Instructions"],
  [words.SHOW_LOG, "Show Log"],
  [words.RESTART, "Restart Server"],
  [words.SHOW, "Show"],
  [words.SHOW_ALL, "Show All"],
  [words.DISMISS, "Dismiss"],
  [words.NOT_RUNNING, "The server edit-assist-ls does not run. Start it with Edit Assist: Restart Server."],
  [words.NO_FAILING_CALL, "No edit call is failing in this workspace."],
  [words.NO_CALL, "No edit call is listed in this workspace."],
  [words.NOT_LISTED, "This call is not in the list any more."],
  [words.CHANGED_MEANWHILE, "The file changed while the edit was put in, so nothing was changed. Try it again."],
  [words.NOT_APPLIED, "VS Code did not take the edit, so nothing was changed. Is the file read-only?"],
  [words.FITS_NOWHERE, "The edit fits none of its places any more. Show the difference to see what the agent wanted."],
  [words.NO_DIFFERENCE, "The file already reads as the agent meant it to."],
  [words.APPLY_ONE_BY_ONE, "An edit of this call fits at several places. Open the call in the list and apply its edits one by one."],
  [words.WHICH_CALL, "Which call?"],
  [words.WHICH_PLACE, "The edit fits at several places. Where shall it go?"],
  [words.notFound({}), "edit-assist-ls was not found. Install it, or name it in the setting editAssist.server.path."],
  [
    words.notFound({ named: { via: "setting", what: "bin/x" } }),
    "The setting editAssist.server.path is bin/x, which cannot be started: give the full path of edit-assist-ls.",
  ],
  [
    words.notFound({ named: { via: "EDIT_ASSIST_LS", what: "x" } }),
    "The variable EDIT_ASSIST_LS is x, which cannot be started: give a full path, or a name on PATH.",
  ],
  [words.didNotStart("/bin/x"), "/bin/x ended before it answered. The log says what it printed."],
  [words.keepsEnding(5), "The server ended 5 times in three minutes and is left alone. The log says what it printed."],
  [words.otherProtocol(undefined, 1), "The server is older than this extension: update the server, else the list of calls may stay empty."],
  [words.otherProtocol(2, 1), "The server is newer than this extension: update the extension, else the list of calls may stay empty."],
  [words.refused(""), "The server refused, and did not say why."],
  [words.cannotOpen("/work/load.go"), "/work/load.go cannot be opened. It may be gone."],
  [words.callFailed(CALL), "The agent's edit failed: edits[0] is not in load.go. (load.go:5-7)"],
  [words.callsFailed(4), "4 edit calls of the agent failed."],
  [words.placeOf({ ...CALL, endLine: 5 }), "load.go:5"],
  [words.callDescription({ ...CALL, state: "applied" }), "applied · edits[0] is not in load.go."],
  [words.editDescription({ state: "failed", code: "no-match", startLine: 5, endLine: 7 }), "no-match · lines 5-7"],
  [words.editDescription({ state: "exact" }), "exact"],
  [words.differenceTitle("/work/load.go", undefined, false), "load.go ↔ with the agent's edit"],
  [words.differenceTitle("/work/load.go", 1, true), "load.go ↔ with edits[1], at the first of its places"],
  [words.failing(2), "$(edit) 2 failing"],
  [words.failingTooltip(1), "1 edit call of the agent is failing in this workspace"],
  [words.failingTooltip(2), "2 edit calls of the agent are failing in this workspace"],
];

test("no sentence is left out above", () => {
  const constants = Object.values(words).filter((word) => typeof word === "string");
  assert.deepEqual(constants.filter((word) => !GOLDEN.some(([, golden]) => golden === word)), []);
});

for (const [said, golden] of GOLDEN) test(golden, () => assert.equal(said, golden));

test("a call, and one edit of it, as the server's commands take them", () => {
  assert.deepEqual(argumentsOf(targetOf("a")), ["a"]);
  assert.deepEqual(argumentsOf(targetOf("a", 0)), ["a", 0]);
});

test("the version that a server speaks", () => {
  assert.equal(protocolOf({ editAssist: { protocol: 1 } }), 1);
  for (const experimental of [undefined, null, {}, { editAssist: 1 }, { editAssist: { protocol: "1" } }]) assert.equal(protocolOf(experimental), undefined);
});
