/** What VS Code starts: the parts are made, and the server is started. */

import * as vscode from "vscode";
import { createCalls } from "./calls.ts";
import { registerCommands } from "./commands.ts";
import { createDifference } from "./difference.ts";
import { goTo } from "./going.ts";
import { createNotices } from "./notices.ts";
import { targetOf } from "./protocol.ts";
import type { Row } from "./rows.ts";
import * as say from "./say.ts";
import { createServer } from "./server.ts";
import type { ServerState } from "./server.ts";
import { createStatus } from "./status.ts";
import { createView } from "./view.ts";
import * as words from "./words.ts";

/** For other extensions: what this one shows. The text of the status bar is undefined while it is hidden. */
export interface Shown {
  readonly server: () => ServerState;
  readonly rows: () => readonly Row[];
  readonly item: (row: Row) => vscode.TreeItem;
  readonly status: () => string | undefined;
}

let stop: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): Shown {
  const since = Date.now();
  const disposables = context.subscriptions;
  const log = vscode.window.createOutputChannel(words.NAME, { log: true });
  disposables.push(log);
  const server = createServer(log, disposables);
  const calls = createCalls(server, log, disposables);
  const view = createView(calls, server, disposables);
  const status = createStatus(server, disposables);
  const difference = createDifference(server, calls, disposables);
  const instructions = vscode.Uri.joinPath(context.extensionUri, "INSTALL.md");
  registerCommands({ server, calls, difference, log, instructions }, disposables);
  createNotices(
    calls,
    since,
    {
      goTo: (call) => say.whatGoesWrong(() => goTo(server, call, targetOf(call.id)), log),
      dismiss: (call) => say.whatGoesWrong(() => server.execute("editAssist.dismiss", targetOf(call.id)), log),
      showAll: () => vscode.commands.executeCommand("editAssist.showCalls"),
    },
    disposables,
  );
  disposables.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("editAssist.server")) void server.restart();
    }),
  );
  stop = server.stop;
  void server.restart();
  return { server: server.state, rows: view.rows, item: view.item, status };
}

export async function deactivate(): Promise<void> {
  await stop?.();
}
