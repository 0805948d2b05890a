/** Puts an edit of the agent in, as one step that can be undone. The file is left to be looked at and saved. */

import * as vscode from "vscode";
import type { Call, Target } from "./protocol.ts";
import { isRecord } from "./protocol.ts";
import { placeOf } from "./going.ts";
import { isAmbiguous, mayFit } from "./rows.ts";
import type { LspAction, LspEdit, Server } from "./server.ts";
import * as words from "./words.ts";

/** Applies a call, or one edit of it; the person says where, if there are several places. Throws what is to be told. */
export async function apply(server: Server, call: Call, target: Target): Promise<void> {
  const only = target.editIndex ?? onlyOpenEdit(call);
  if (only !== undefined && isAmbiguous(call.edits[only])) {
    await applyAtChosenPlace(server, call, { id: target.id, editIndex: only });
    return;
  }
  if (target.editIndex === undefined && call.edits.some(isAmbiguous)) throw new Error(words.APPLY_ONE_BY_ONE);
  const { edit, stale } = await server.preview(target);
  if (edit === undefined) throw new Error(stale ?? words.FITS_NOWHERE);
  await put(server, edit, target);
}

async function applyAtChosenPlace(server: Server, call: Call, target: Target): Promise<void> {
  const actions = await server.actionsAt(call.uri, placeOf(server, call, target).start.line);
  const places = actions.filter((action) => isPlaceOf(action, target));
  const choices = places.map((action) => ({ label: action.title, action }));
  if (choices.length === 0) throw new Error(words.FITS_NOWHERE);
  const chosen = await vscode.window.showQuickPick(choices, { title: words.WHICH_PLACE });
  if (chosen === undefined) return;
  const edit = await server.editOf(chosen.action);
  if (edit === undefined) throw new Error(words.FITS_NOWHERE);
  await put(server, edit, target);
}

async function put(server: Server, edit: LspEdit, target: Target): Promise<void> {
  const converted = await server.toCode(edit);
  // From here to the application nothing is waited for: no key can be pressed in between.
  if (!fitsVersions(edit)) throw new Error(words.CHANGED_MEANWHILE);
  if (!(await vscode.workspace.applyEdit(converted))) throw new Error(words.NOT_APPLIED);
  await server.execute("editAssist.applied", target);
  const [first] = converted.entries();
  const range = first?.[1][0]?.range;
  if (first === undefined || range === undefined) return;
  const editor = await vscode.window.showTextDocument(first[0], { preserveFocus: true });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Whether each open document is still the one that the server made the edit for. */
function fitsVersions(edit: LspEdit): boolean {
  const versions = new Map(vscode.workspace.textDocuments.map(({ uri, version }) => [uri.toString(), version]));
  return (edit.documentChanges ?? []).every((change) => {
    if (!("textDocument" in change) || change.textDocument.version === null) return true;
    const version = versions.get(vscode.Uri.parse(change.textDocument.uri).toString());
    return version === undefined || version === change.textDocument.version;
  });
}

function isPlaceOf(action: LspAction, target: Target): boolean {
  const data: unknown = action.data;
  return isRecord(data) && data["id"] === target.id && data["editIndex"] === target.editIndex;
}

function onlyOpenEdit(call: Call): number | undefined {
  const open = call.edits.flatMap((edit, index) => (mayFit(edit) ? [index] : []));
  return open.length === 1 ? open[0] : undefined;
}
