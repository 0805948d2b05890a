/** The status bar: how many calls are failing in this workspace; nothing where none is. */

import * as vscode from "vscode";
import type { Server } from "./server.ts";
import { failingCount } from "./view.ts";
import * as words from "./words.ts";

/** Gives the text that is shown now; undefined while nothing is. */
export function createStatus(server: Server, disposables: vscode.Disposable[]): () => string | undefined {
  const item = vscode.window.createStatusBarItem("editAssist.failing", vscode.StatusBarAlignment.Left, 49);
  item.name = words.NAME;
  item.command = "editAssist.showCalls";
  const show = (): void => {
    const count = failingCount(server);
    item.text = words.failing(count);
    item.tooltip = words.failingTooltip(count);
    item.accessibilityInformation = { label: words.failingTooltip(count), role: "button" };
    if (count > 0) item.show();
    else item.hide();
  };
  disposables.push(item, server.onDidChangeFailing(show));
  return () => (failingCount(server) > 0 ? item.text : undefined);
}
