/**
 * Keeps one server for a session: starts it, greets it, asks it, and starts a fresh one when it was lost. Nothing
 * here ever throws or waits longer than LIMIT_MS: what cannot be had is answered by undefined, and pi goes on stock.
 */

import { type Connection, connect, ServerEnded, settlesWithin } from "./connection.ts";
import { type Found, findServer, type NotFound } from "./find-server.ts";
import { isRecord, Nonsense, readSessionAnswer, reasonOf, type SessionAnswer, VERSION } from "./protocol.ts";
import { pathToFileURL } from "node:url";

/** How long a hook waits for an answer, and how long all hooks together wait for a server to start. */
export const LIMIT_MS = 2_000;

/** What a request to a server that was long in starting has left at least. */
const GRACE_MS = 500;

/** How long a server may take to start, when nobody waits for it; uvx may have to download it first. */
const START_LIMIT_MS = 10_000;
const UVX_START_LIMIT_MS = 180_000;

const LOST = Symbol("lost");
const FRESH_TRIES = 3;
const FRESH_TRIES_WITHIN_MS = 600_000;

/** What the server is told about the session with every request. */
export interface SessionFacts {
  sessionId: string | undefined;
  cwd: string;
  projectTrusted: boolean | undefined;
}

export type Trouble =
  | { kind: "missing"; problem: string | undefined }
  | { kind: "lost"; detail: string; via: Found["via"] | undefined; wasReady: boolean }
  | { kind: "slow"; via: Found["via"] };

export interface Question<T> {
  method: string;
  params: object;
  /** Reads the answer; throws Nonsense for one of a wrong shape. */
  read(value: unknown): T;
  /** The call that it is about: a lost server is replaced at most once a cause. */
  cause: string;
  /** Whether the server of that number, counted from 1, may be asked; any may where this is absent. */
  accepts?: (server: number) => boolean;
  signal: AbortSignal | undefined;
}

export interface Answer<T> {
  value: T;
  /** Which of the session's servers answered, from 1. */
  server: number;
}

export interface Status {
  state: "ready" | "starting" | "missing" | "lost" | "stopped";
  found: Found | undefined;
  pid: number | undefined;
  /** How many servers this session has started. */
  servers: number;
  trouble: Trouble | undefined;
  session: SessionAnswer | undefined;
}

export interface Keeper {
  /** Starts a server for a session and returns at once. */
  start(facts: SessionFacts): void;
  /** The server's answer; undefined where there is none. A server that dies over it is replaced, and asked again. */
  ask<T>(question: Question<T>): Promise<Answer<T> | undefined>;
  /** Settles when the server was greeted, or cannot be had in time. */
  ready(signal: AbortSignal | undefined): Promise<void>;
  stop(): Promise<void>;
  status(): Status;
}

interface Listener {
  /** Something that costs the session its server, or some time without it. */
  onTrouble(trouble: Trouble): void;
  /** A server is ready; `problems` names what is wrong with the user's settings. */
  onReady(session: SessionAnswer): void;
}

interface Server {
  connection: Connection;
  found: Found;
  number: number;
  startedAt: number;
  /** Settles when the server was greeted, or ended. */
  greeted: Promise<void>;
  session: SessionAnswer | undefined;
}

export function makeKeeper(listener: Listener): Keeper {
  let facts: SessionFacts | undefined;
  let server: Server | undefined;
  let trouble: Trouble | undefined;
  let found: Found | NotFound | undefined;
  let servers = 0;
  let freshTries: number[] = [];
  let lastCause: string | undefined;

  const report = (what: Trouble): void => {
    trouble = what;
    listener.onTrouble(what);
  };

  const launch = (): Server | undefined => {
    if (!facts) return undefined;
    found = findServer(facts.cwd);
    if (!("command" in found)) {
      report({ kind: "missing", problem: found.problem });
      return undefined;
    }
    const { via } = found;
    const number = ++servers;
    let started: Server | undefined;
    const lose = (detail: string): void => {
      if (server === started) server = undefined;
      report({ kind: "lost", detail, via, wasReady: started?.session !== undefined });
    };
    let connection: Connection;
    try {
      connection = connect(found, lose);
    } catch (error) {
      lose(`could not be started: ${reasonOf(error)}`);
      return undefined;
    }
    started = { connection, found, number, startedAt: performance.now(), greeted: Promise.resolve(), session: undefined };
    started.greeted = greet(started, facts).then(
      () => {
        if (started?.session && server === started) listener.onReady(started.session);
      },
      (error: unknown) => {
        if (!(error instanceof ServerEnded)) started?.connection.fail(`could not be greeted: ${reasonOf(error)}`);
      },
    );
    return started;
  };

  /** The server to ask, started anew where it was lost and may be tried again. */
  const serverFor = (cause: string): Server | undefined => {
    if (server || !facts) return server;
    const now = performance.now();
    freshTries = freshTries.filter((at) => now - at < FRESH_TRIES_WITHIN_MS);
    if (cause === lastCause || freshTries.length >= FRESH_TRIES) return undefined;
    lastCause = cause;
    freshTries.push(now);
    server = launch();
    return server;
  };

  const isReady = async (asked: Server, deadline: number, signal: AbortSignal | undefined): Promise<boolean> => {
    if (asked.session) return true;
    const left = Math.min(asked.startedAt + LIMIT_MS, deadline) - performance.now();
    if (left > 0 && (await settlesWithin(asked.greeted, left, signal))) return asked.session !== undefined;
    if (!signal?.aborted && !asked.session && asked.connection.ended() === undefined && trouble?.kind !== "slow")
      report({ kind: "slow", via: asked.found.via });
    return false;
  };

  /** One question to one server: its answer, undefined where there is none, `lost` where it died meanwhile. */
  const askOnce = async <T>(question: Question<T>, deadline: number): Promise<Answer<T> | typeof LOST | undefined> => {
    const { method, params, read, cause, accepts, signal } = question;
    if (accepts && !accepts(server?.number ?? servers + 1)) return undefined;
    const asked = serverFor(cause);
    if (!asked || !facts) return undefined;
    const { connection, number } = asked;
    try {
      if (!(await isReady(asked, deadline, signal)) || !facts) return connection.ended() === undefined ? undefined : LOST;
      const limitMs = Math.max(GRACE_MS, deadline - performance.now());
      const value = read(await connection.request(method, { ...common(facts), ...params }, { limitMs, signal }));
      return { value, server: number };
    } catch (error) {
      if (error instanceof Nonsense) connection.fail(`does not keep to the contract: ${error.message}`);
      return error instanceof ServerEnded ? LOST : undefined;
    }
  };

  return {
    start: (session) => {
      if (server) void server.connection.stop([]);
      facts = session;
      freshTries = [];
      lastCause = undefined;
      server = launch();
    },
    ask: async (question) => {
      const deadline = performance.now() + LIMIT_MS;
      let answer = await askOnce(question, deadline);
      if (answer === LOST && performance.now() < deadline) answer = await askOnce(question, deadline);
      return answer === LOST ? undefined : answer;
    },
    ready: async (signal) => {
      if (server) await isReady(server, performance.now() + LIMIT_MS, signal);
    },
    stop: async () => {
      const last = server;
      const session = facts;
      server = undefined;
      facts = undefined;
      if (!last || !session) return;
      await last.connection.stop(last.session ? [["editAssist/sessionShutdown", common(session)]] : []);
    },
    status: () => ({
      state: server ? (server.session ? "ready" : "starting") : !facts ? "stopped" : trouble?.kind === "missing" ? "missing" : "lost",
      found: found && "command" in found ? found : undefined,
      pid: server?.connection.pid,
      servers,
      trouble,
      session: server?.session,
    }),
  };
}

/** LSP's greeting, then ours. A server that is not greeted in its time is ended, whether or not somebody waits. */
async function greet(server: Server, facts: SessionFacts): Promise<void> {
  const { connection, found } = server;
  const terms = { limitMs: found.via === "uvx" ? UVX_START_LIMIT_MS : START_LIMIT_MS, inBackground: true };
  const folder = pathToFileURL(facts.cwd).href;
  const initialize = {
    processId: process.pid,
    clientInfo: { name: "edit-assist-pi", version: VERSION },
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: facts.cwd }],
    capabilities: {},
    ...(ownProfile() === undefined ? {} : { initializationOptions: { profile: ownProfile() } }),
  };
  const answer = await connection.request("initialize", initialize, terms);
  if (!isRecord(answer) || !isRecord(answer["capabilities"])) throw new Nonsense("initialize answered no capabilities");
  connection.notify("initialized", {});
  const trust = facts.projectTrusted === undefined ? {} : { projectTrusted: facts.projectTrusted };
  const session = { ...common(facts), ...trust, processId: process.pid };
  server.session = readSessionAnswer(await connection.request("editAssist/sessionStart", session, terms));
}

/** The profile that EDIT_ASSIST_PROFILE names, which counts over every settings file. */
function ownProfile(): string | undefined {
  return process.env["EDIT_ASSIST_PROFILE"] || undefined;
}

function common(facts: SessionFacts): object {
  const session = facts.sessionId === undefined ? {} : { sessionId: facts.sessionId };
  return { host: "pi", cwd: facts.cwd, ...session };
}
