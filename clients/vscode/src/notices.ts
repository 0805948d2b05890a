/** Notifications: one for each call that fails while the window is open, one for several that fail at once. */

import * as vscode from "vscode";
import type { Calls } from "./calls.ts";
import type { Call } from "./protocol.ts";
import { newlyFailed } from "./rows.ts";
import * as words from "./words.ts";

const MOST_AT_ONCE = 3;

export interface Chosen {
  readonly goTo: (call: Call) => unknown;
  readonly dismiss: (call: Call) => unknown;
  readonly showAll: () => unknown;
}

/** `since`: calls that failed before it (milliseconds of the epoch) are not told of. */
export function createNotices(calls: Calls, since: number, chosen: Chosen, disposables: vscode.Disposable[]): void {
  let known: ReadonlySet<string> = new Set();
  disposables.push(
    calls.onDidChange((list) => {
      const failed = newlyFailed(list, since, known);
      const listed = list.map(({ id }) => id);
      // What fell out of the list keeps being known for a while: a list that shrinks for a moment tells nothing anew.
      known = new Set([...[...known].slice(-1_000), ...listed]);
      if (!vscode.workspace.getConfiguration("editAssist").get<boolean>("notifications", true)) return;
      if (failed.length > MOST_AT_ONCE) tellOfAll(failed.length, chosen);
      else for (const call of failed) tellOf(call, chosen);
    }),
  );
}

function tellOf(call: Call, chosen: Chosen): void {
  void vscode.window.showWarningMessage(words.callFailed(call), words.SHOW, words.DISMISS).then((choice) => {
    if (choice === words.SHOW) chosen.goTo(call);
    if (choice === words.DISMISS) chosen.dismiss(call);
  });
}

function tellOfAll(count: number, chosen: Chosen): void {
  void vscode.window.showWarningMessage(words.callsFailed(count), words.SHOW_ALL).then((choice) => {
    if (choice === words.SHOW_ALL) chosen.showAll();
  });
}
