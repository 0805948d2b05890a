/** The recent calls as the server last listed them, newest first; read again when it says that there is news. */

import * as vscode from "vscode";
import { type Call, reasonOf, type Target } from "./protocol.ts";
import type { Server } from "./server.ts";

export interface Calls {
  readonly list: () => readonly Call[];
  readonly find: (target: Target) => Call | undefined;
  readonly onDidChange: vscode.Event<readonly Call[]>;
  readonly refresh: () => Promise<void>;
}

export function createCalls(server: Server, log: vscode.LogOutputChannel, disposables: vscode.Disposable[]): Calls {
  const changed = new vscode.EventEmitter<readonly Call[]>();
  let list: readonly Call[] = [];
  let reading: Promise<void> | undefined;
  let isStale = false;

  const put = (calls: readonly Call[]): void => {
    list = calls;
    changed.fire(list);
  };

  const read = async (): Promise<void> => {
    do {
      isStale = false;
      try {
        put(await server.calls());
      } catch (error) {
        log.warn(`the calls could not be listed: ${reasonOf(error)}`);
      }
    } while (isStale);
  };

  // However much news comes while the calls are read, they are read once more.
  const refresh = (): Promise<void> => {
    isStale = true;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  disposables.push(
    changed,
    server.onDidChangeCalls(() => void refresh()),
    server.onDidChangeState((state) => {
      if (state === "stopped") put([]);
    }),
  );
  return { list: () => list, find: ({ id }) => list.find((call) => call.id === id), onDidChange: changed.event, refresh };
}
