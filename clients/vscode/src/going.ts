/** Goes to the place of a call, by a person's act alone: the file may lie outside the workspace. */

import * as vscode from "vscode";
import type { Call, Target } from "./protocol.ts";
import type { Server } from "./server.ts";
import * as words from "./words.ts";

/** Opens the file at the place where the edit is shown now; where nothing is shown of it, where it was. */
export async function goTo(server: Server, call: Call, target: Target): Promise<void> {
  const uri = vscode.Uri.parse(call.uri, true);
  if (uri.scheme !== "file") return;
  let editor: vscode.TextEditor;
  try {
    editor = await vscode.window.showTextDocument(uri);
  } catch (error) {
    throw new Error(words.cannotOpen(uri.fsPath), { cause: error });
  }
  const range = editor.document.validateRange(placeOf(server, call, target));
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The place of a call, or of one edit of it: whole lines. */
export function placeOf(server: Server, call: Call, target: Target): vscode.Range {
  const { id, editIndex } = target;
  const shown = server.failing().find((one) => one.id === id && (editIndex === undefined || one.editIndex === editIndex));
  if (shown !== undefined) return shown.range;
  const lines = editIndex === undefined ? call : (call.edits[editIndex] ?? call);
  const line0 = Math.max(0, (lines.startLine ?? 1) - 1);
  const lastLine0 = Math.max(line0, (lines.endLine ?? lines.startLine ?? 1) - 1);
  return new vscode.Range(line0, 0, lastLine0, Number.MAX_SAFE_INTEGER);
}
