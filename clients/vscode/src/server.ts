/** The server's life: found, started, started anew when it ends, asked. One at a time; nothing of it is seen elsewhere. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { CodeAction as LspAction, ErrorHandler, WorkspaceEdit as LspEdit } from "vscode-languageclient/node";
import {
  CloseAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
} from "vscode-languageclient/node";
import { findServer } from "./find-server.ts";
import type { Found } from "./find-server.ts";
import type { Call, Preview, ServerCommand, Target } from "./protocol.ts";
import { argumentsOf, CALLS, CALLS_CHANGED, isRecord, PREVIEW, PROTOCOL, protocolOf, reasonOf } from "./protocol.ts";
import * as say from "./say.ts";
import * as words from "./words.ts";

/** Our own command for the server's action Show the difference. */
export const DIFFERENCE_COMMAND = "editAssist.showDifference";
const APPLIED: ServerCommand = "editAssist.applied";
const MOST_CALLS = 100;
const RESTARTS = 4;
const RESTARTS_WITHIN_MS = 180_000;

export type ServerState = "starting" | "running" | "stopped";

/** A failing edit that is shown in a file now. */
export interface Failing {
  readonly id: string;
  readonly editIndex: number;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

export interface Server {
  readonly state: () => ServerState;
  readonly onDidChangeState: vscode.Event<ServerState>;
  readonly onDidChangeCalls: vscode.Event<void>;
  readonly failing: () => readonly Failing[];
  readonly onDidChangeFailing: vscode.Event<void>;
  /** Found and started anew; whatever goes wrong is told to the person. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The requests reject with an Error whose message is for the person. */
  readonly calls: () => Promise<readonly Call[]>;
  readonly preview: (target: Target) => Promise<Preview>;
  readonly execute: (command: ServerCommand, target: Target) => Promise<void>;
  /** The quick fixes that the server offers at a line (0-based) of a file, without their edits. */
  readonly actionsAt: (uri: string, line0: number) => Promise<readonly LspAction[]>;
  readonly editOf: (action: LspAction) => Promise<LspEdit | undefined>;
  readonly toCode: (edit: LspEdit) => Promise<vscode.WorkspaceEdit>;
}

export function createServer(log: vscode.LogOutputChannel, disposables: vscode.Disposable[]): Server {
  const stateChanged = new vscode.EventEmitter<ServerState>();
  const callsChanged = new vscode.EventEmitter<void>();
  const failingChanged = new vscode.EventEmitter<void>();
  disposables.push(stateChanged, callsChanged, failingChanged);
  let state: ServerState = "stopped";
  let client: LanguageClient | undefined;
  let turn: Promise<void> = Promise.resolve();
  const failing = new Map<string, readonly Failing[]>();
  // Quick fixes whose edit the server refused. VS Code runs an action's command all the same, which would say that the
  // edit was put in.
  const refused = new Set<string>();

  const become = (next: ServerState): void => {
    if (state === next) return;
    state = next;
    if (next !== "running" && failing.size > 0) {
      failing.clear();
      failingChanged.fire();
    }
    stateChanged.fire(next);
  };

  const show = (uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void => {
    const found = diagnostics.flatMap((diagnostic) => failingOf(uri, diagnostic));
    if (found.length > 0) failing.set(uri.toString(), found);
    else failing.delete(uri.toString());
    failingChanged.fire();
  };

  const build = (found: Found): LanguageClient => {
    const { command, args, env, cwd } = found;
    const made: LanguageClient = new LanguageClient(
      "editAssist",
      words.NAME,
      { command, args: [...args], options: { env, cwd } },
      {
        documentSelector: [{ scheme: "file" }],
        outputChannel: log,
        traceOutputChannel: log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: { callsChanged: true, clientCommands: { difference: DIFFERENCE_COMMAND } },
        initializationFailedHandler: () => false,
        errorHandler: errorHandler(() => made.state === ClientState.Running, log),
        middleware: {
          handleDiagnostics: (uri, diagnostics, next) => {
            if (made !== client) return;
            next(uri, diagnostics);
            show(uri, diagnostics);
          },
          executeCommand: async (name, given, next) => {
            if (name === APPLIED && refused.delete(JSON.stringify(given))) return undefined;
            return say.whatGoesWrong(() => Promise.resolve(next(name, given)), log);
          },
          resolveCodeAction: async (action, token, next) => {
            const key = JSON.stringify(action.command?.arguments);
            refused.delete(key);
            try {
              return await next(action, token);
            } catch (error) {
              refused.add(key);
              if (!token.isCancellationRequested) say.warning(words.refused(reasonOf(error)));
              return undefined;
            }
          },
        },
      },
    );
    made.onNotification(CALLS_CHANGED, () => callsChanged.fire());
    made.onDidChangeState(({ newState }) => {
      if (made !== client) return;
      become(newState === ClientState.Running ? "running" : newState === ClientState.Starting ? "starting" : "stopped");
      if (newState === ClientState.Running) callsChanged.fire();
    });
    return made;
  };

  const start = async (): Promise<void> => {
    become("starting");
    const found = findServer({
      setting: vscode.workspace.getConfiguration("editAssist").get("server.path"),
      env: process.env,
      folders: (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath),
      home: homedir(),
      platform: process.platform,
    });
    if (!("command" in found)) {
      become("stopped");
      say.serverMissing(words.notFound(found), log);
      return;
    }
    log.info(`starting ${found.command} ${found.args.join(" ")} (by ${found.via})`);
    const made = build(found);
    client = made;
    try {
      await made.start();
    } catch (error) {
      log.error(reasonOf(error));
      become("stopped");
      say.serverMissing(words.didNotStart(found.command), log);
      return;
    }
    const theirs = protocolOf(made.initializeResult?.capabilities.experimental);
    if (theirs !== PROTOCOL) say.warning(words.otherProtocol(theirs, PROTOCOL));
  };

  const end = async (): Promise<void> => {
    const ending = client;
    client = undefined;
    try {
      await ending?.dispose();
    } catch (error) {
      log.warn(`the server did not end in time: ${reasonOf(error)}`);
    }
    become("stopped");
  };

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work, work);
    return turn;
  };

  const asked = async <T>(ask: (running: LanguageClient) => Promise<T>): Promise<T> => {
    if (client === undefined || state !== "running") throw new Error(words.NOT_RUNNING);
    try {
      return await ask(client);
    } catch (error) {
      throw new Error(words.refused(reasonOf(error)), { cause: error });
    }
  };

  return {
    state: () => state,
    onDidChangeState: stateChanged.event,
    onDidChangeCalls: callsChanged.event,
    failing: () => [...failing.values()].flat(),
    onDidChangeFailing: failingChanged.event,
    restart: () => inTurn(() => end().then(start)),
    stop: () => inTurn(end),
    calls: () => asked(async (running) => (await running.sendRequest<{ calls: Call[] }>(CALLS, { limit: MOST_CALLS })).calls),
    preview: (target) => asked((running) => running.sendRequest<Preview>(PREVIEW, target)),
    execute: (command, target) =>
      asked(async (running) => {
        await running.sendRequest(ExecuteCommandRequest.type, { command, arguments: argumentsOf(target) });
      }),
    actionsAt: (uri, line0) =>
      asked(async (running) => {
        const at = { line: line0, character: 0 };
        const params = { textDocument: { uri }, range: { start: at, end: at }, context: { diagnostics: [] } };
        const found = await running.sendRequest(CodeActionRequest.type, params);
        return (found ?? []).filter((action): action is LspAction => "data" in action);
      }),
    editOf: (action) => asked(async (running) => (await running.sendRequest(CodeActionResolveRequest.type, action)).edit),
    toCode: (edit) => asked(async (running) => running.protocol2CodeConverter.asWorkspaceEdit(edit)),
  };
}

/** Starts the server again where it ends, unless it does so again and again, or never came up. */
function errorHandler(isUp: () => boolean, log: vscode.LogOutputChannel): ErrorHandler {
  const ends: number[] = [];
  return {
    error: (_error, _message, count) => ({ action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true }),
    closed: () => {
      if (!isUp() && ends.length === 0) return { action: CloseAction.DoNotRestart, handled: true };
      const now = Date.now();
      ends.push(now);
      while (ends[0] !== undefined && now - ends[0] > RESTARTS_WITHIN_MS) ends.shift();
      if (ends.length <= RESTARTS) return { action: CloseAction.Restart, handled: true };
      say.serverMissing(words.keepsEnding(ends.length), log);
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}

function failingOf(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Failing[] {
  const data: unknown = "data" in diagnostic ? diagnostic.data : undefined;
  if (!isRecord(data)) return [];
  const { id, editIndex } = data;
  return typeof id === "string" && typeof editIndex === "number" ? [{ id, editIndex, uri, range: diagnostic.range }] : [];
}

export type { LspAction, LspEdit };
