/** The difference between a file and the same file with an edit of the agent, in the diff editor. */

import * as vscode from "vscode";
import type { Calls } from "./calls.ts";
import type { Target } from "./protocol.ts";
import { isRecord, targetOf } from "./protocol.ts";
import { isAmbiguous } from "./rows.ts";
import * as say from "./say.ts";
import type { Server } from "./server.ts";
import * as words from "./words.ts";

/** The scheme of documents that are a file with an edit. They are made when they are looked at, and never written. */
export const SCHEME = "edit-assist";
const SETTLING_MS = 200;

export interface Difference {
  readonly show: (target: Target) => Promise<void>;
}

export function createDifference(server: Server, calls: Calls, disposables: vscode.Disposable[]): Difference {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const open = (): vscode.Uri[] => vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === SCHEME);
  let due: NodeJS.Timeout | undefined;
  const refreshSoon = (path?: string): void => {
    if (path !== undefined && !open().some((uri) => uri.path === path)) return;
    clearTimeout(due);
    due = setTimeout(() => open().forEach((uri) => changed.fire(uri)), SETTLING_MS);
  };

  disposables.push(
    changed,
    { dispose: () => clearTimeout(due) },
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => {
        const target = targetIn(uri);
        // Once the edit was put in, or fits no more, this is the file as it is, and no difference is left.
        return target === undefined ? "" : (await server.preview(target)).after;
      },
    }),
    calls.onDidChange(() => refreshSoon()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === "file") refreshSoon(document.uri.path);
    }),
  );

  return {
    show: async (target) => {
      const { uri, before, after, stale } = await server.preview(target);
      if (stale !== undefined) say.warning(words.refused(stale));
      if (before === after) {
        if (stale === undefined) say.information(words.NO_DIFFERENCE);
        return;
      }
      const file = vscode.Uri.parse(uri, true);
      const edits = calls.find(target)?.edits ?? [];
      const several = (target.editIndex === undefined ? edits : [edits[target.editIndex]]).some(isAmbiguous);
      const title = words.differenceTitle(file.path, target.editIndex, several);
      await vscode.commands.executeCommand("vscode.diff", file, uriOf(file, target), title);
    },
  };
}

/** The document that is `file` with an edit. Its path is the file's, so that it is shown in the file's language. */
function uriOf(file: vscode.Uri, target: Target): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: file.path, query: JSON.stringify(target) });
}

function targetIn(uri: vscode.Uri): Target | undefined {
  try {
    const target: unknown = JSON.parse(uri.query);
    if (!isRecord(target) || typeof target["id"] !== "string") return undefined;
    const { id, editIndex } = target;
    return targetOf(id, typeof editIndex === "number" ? editIndex : undefined);
  } catch {
    return undefined;
  }
}
