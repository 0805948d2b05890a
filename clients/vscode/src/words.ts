/** Every sentence and label that a person reads, but for those of package.json. What comes from outside is made plain. */

import { plain } from "./plain.ts";
import type { Call, Edit } from "./protocol.ts";
import type { NotFound } from "./find-server.ts";

const NAME_CHARACTERS = 80;
const SUMMARY_CHARACTERS = 200;
const PATH_CHARACTERS = 300;

export const NAME = "Edit Assist";
export const SHOW_INSTRUCTIONS = "Show Install Instructions";
export const SHOW_LOG = "Show Log";
export const RESTART = "Restart Server";
export const SHOW = "Show";
export const SHOW_ALL = "Show All";
export const DISMISS = "Dismiss";

export const NOT_RUNNING = "The server edit-assist-ls does not run. Start it with Edit Assist: Restart Server.";
export const NO_FAILING_CALL = "No edit call is failing in this workspace.";
export const NO_CALL = "No edit call is listed in this workspace.";
export const NOT_LISTED = "This call is not in the list any more.";
export const CHANGED_MEANWHILE = "The file changed while the edit was put in, so nothing was changed. Try it again.";
export const NOT_APPLIED = "VS Code did not take the edit, so nothing was changed. Is the file read-only?";
export const FITS_NOWHERE = "The edit fits none of its places any more. Show the difference to see what the agent wanted.";
export const NO_DIFFERENCE = "The file already reads as the agent meant it to.";
export const APPLY_ONE_BY_ONE = "An edit of this call fits at several places. Open the call in the list and apply its edits one by one.";
export const WHICH_CALL = "Which call?";
export const WHICH_PLACE = "The edit fits at several places. Where shall it go?";

/** The server was not found, or what was named to be it cannot be started. */
export function notFound(why: NotFound): string {
  if (why.named === undefined) return "edit-assist-ls was not found. Install it, or name it in the setting editAssist.server.path.";
  const what = plain(why.named.what, NAME_CHARACTERS);
  if (why.named.via === "setting") {
    return `The setting editAssist.server.path is ${what}, which cannot be started: give the full path of edit-assist-ls.`;
  }
  return `The variable ${why.named.via} is ${what}, which cannot be started: give a full path, or a name on PATH.`;
}

export function didNotStart(command: string): string {
  return `${plain(command, PATH_CHARACTERS)} ended before it answered. The log says what it printed.`;
}

export function keepsEnding(times: number): string {
  return `The server ended ${times} times in three minutes and is left alone. The log says what it printed.`;
}

/** The server speaks another version of our requests (undefined: none at all) than this extension. */
export function otherProtocol(theirs: number | undefined, ours: number): string {
  const older = theirs === undefined || theirs < ours;
  return `The server is ${older ? "older" : "newer"} than this extension: update the ${older ? "server" : "extension"}, else the list of calls may stay empty.`;
}

export function refused(reason: string): string {
  return plain(reason, PATH_CHARACTERS) || "The server refused, and did not say why.";
}

export function cannotOpen(path: string): string {
  return `${plain(path, PATH_CHARACTERS)} cannot be opened. It may be gone.`;
}

/** Such as "The agent's edit failed: edits[0] is not in load.go. (load.go:5-7)" */
export function callFailed(call: Call): string {
  return `The agent's edit failed: ${plain(call.summary, SUMMARY_CHARACTERS)} (${placeOf(call)})`;
}

export function callsFailed(count: number): string {
  return `${count} edit calls of the agent failed.`;
}

/** Such as "load.go:5-7". */
export function placeOf(call: Call): string {
  const name = plain(baseName(pathOf(call.uri)), NAME_CHARACTERS);
  const lines = linesOf(call.startLine, call.endLine);
  return lines === undefined ? name : `${name}:${lines}`;
}

export function callDescription(call: Call): string {
  const summary = plain(call.summary, SUMMARY_CHARACTERS);
  return call.state === "failed" || call.state === "corrected" || call.state === "exact" ? summary : `${call.state} · ${summary}`;
}

/** Several lines of plain text: what, where, when, by whom. */
export function callTooltip(call: Call, clock: (at: string) => string): string {
  const lines = linesOf(call.startLine, call.endLine);
  const path = plain(pathOf(call.uri), PATH_CHARACTERS);
  return [
    plain(call.summary, SUMMARY_CHARACTERS),
    lines === undefined ? path : `${path}, ${lines.includes("-") ? "lines" : "line"} ${lines}`,
    `${call.state}, ${clock(call.at)}, ${plain(call.host, NAME_CHARACTERS)}`,
  ].join("\n");
}

/** For screen readers, who do not see the icon. */
export function callSpoken(call: Call): string {
  return `${call.state}, ${placeOf(call)}, ${plain(call.summary, SUMMARY_CHARACTERS)}`;
}

export function editLabel(index: number): string {
  return `edits[${index}]`;
}

export function editDescription(edit: Edit): string {
  const lines = linesOf(edit.startLine, edit.endLine);
  const what = edit.state === "failed" ? plain(edit.code ?? edit.state, NAME_CHARACTERS) : edit.state;
  return lines === undefined ? what : `${what} · ${lines.includes("-") ? "lines" : "line"} ${lines}`;
}

export function differenceTitle(path: string, editIndex: number | undefined, several: boolean): string {
  const what = editIndex === undefined ? "the agent's edit" : editLabel(editIndex);
  return `${plain(baseName(path), NAME_CHARACTERS)} ↔ with ${what}${several ? ", at the first of its places" : ""}`;
}

export function failing(count: number): string {
  return `$(edit) ${count} failing`;
}

export function failingTooltip(count: number): string {
  return count === 1 ? "1 edit call of the agent is failing in this workspace" : `${count} edit calls of the agent are failing in this workspace`;
}

/** The path in a `file:` URI as people know it; the URI itself where it cannot be read. */
export function pathOf(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function linesOf(startLine: number | undefined, endLine: number | undefined): string | undefined {
  if (startLine === undefined) return undefined;
  return endLine === undefined || endLine === startLine ? `${startLine}` : `${startLine}-${endLine}`;
}
