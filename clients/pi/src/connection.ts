/** One server process and the requests to it. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Found } from "./find-server.ts";
import { frame, frameReader } from "./frames.ts";
import { isRecord } from "./protocol.ts";

/** Why a process is of no more use. `detail` goes into a sentence after "the server". */
export class ServerEnded extends Error {}

/** The person stopped the agent, or pi ends: nothing is wrong with the server. */
export class Cancelled extends Error {}

export interface Connection {
  readonly pid: number | undefined;
  /** Why it ended; undefined while it is of use. */
  ended(): string | undefined;
  /**
   * One request, to be answered within its limit (a process that lets one pass is ended). Rejects with ServerEnded,
   * with Cancelled once the signal is aborted, or with an Error that says what was answered in place of a result.
   */
  request(method: string, params: object, terms: Terms): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Ends it for a reason of ours, at once. */
  fail(detail: string): void;
  /** Lets it end by itself after `lastWords` (requests whose answers nobody waits for); ends it where it does not. */
  stop(lastWords: readonly [method: string, params: object][]): Promise<void>;
}

/** How long a request may take, what cancels it, and whether nobody waits for it: then it does not keep pi alive. */
export interface Terms {
  limitMs: number;
  signal?: AbortSignal | undefined;
  inBackground?: boolean;
}

const STOP_LIMIT_MS = 1_000;
const STDERR_KEPT = 2_000;
const METHOD_NOT_FOUND = -32601;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Starts a server. `onEnd` is told, once, when it ends without having been asked to.
 *
 * The process and its pipes do not keep pi alive; a timer does, as long as a request waits for its answer. Without the
 * first pi would not end where no session_shutdown comes, without the second it would end in the middle of a hook.
 */
export function connect(found: Found, onEnd: (detail: string) => void): Connection {
  const isGroup = process.platform !== "win32";
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: string | undefined;
  let isStopping = false;
  let stderr = "";
  let onExit: () => void = () => {};
  const exited = new Promise<void>((resolve) => {
    onExit = resolve;
  });

  const child = spawn(found.command, found.args, {
    cwd: found.cwd,
    env: found.env,
    stdio: "pipe",
    detached: isGroup, // A group of its own, so that what a launcher such as uvx started ends with it.
    windowsHide: true,
  });
  release(child);

  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It is gone already.
    }
  };
  const killOnExit = (): void => kill("SIGKILL");
  process.once("exit", killOnExit);

  const end = (detail: string): void => {
    if (ended !== undefined) return;
    ended = detail;
    for (const { reject } of pending.values()) reject(new ServerEnded(detail));
    pending.clear();
    if (!isStopping) {
      kill("SIGKILL");
      onEnd(detail);
    }
  };
  const gone = (detail: string): void => {
    process.off("exit", killOnExit);
    onExit();
    end(detail);
  };
  const write = (bytes: Buffer): void => {
    if (ended === undefined && child.stdin.writable) child.stdin.write(bytes);
  };
  const send = (message: object): void => write(frame({ jsonrpc: "2.0", ...message }));
  const receive = (body: unknown): void => {
    if (!isRecord(body)) return end("answered something that is no message");
    const id = body["id"];
    if (typeof body["method"] === "string") {
      if (id !== undefined) send({ id, error: { code: METHOD_NOT_FOUND, message: "This client answers no requests." } });
      return;
    }
    const waiting = typeof id === "number" ? pending.get(id) : undefined;
    if (!waiting) return; // Its caller was cancelled meanwhile.
    const error = body["error"];
    if (isRecord(error)) waiting.reject(new Error(`it answered: ${String(error["message"])}`));
    else if ("result" in body) waiting.resolve(body["result"]);
    else end("answered neither a result nor an error");
  };

  child.stdout.on("data", frameReader(receive, (what) => end(`cannot be understood: ${what}`)));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_KEPT);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
  child.on("error", (error) => gone(`could not be started: ${error.message}`));
  child.on("exit", (status, signal) => gone(`ended (${signal ?? `exit status ${status}`})${lastLine(stderr)}`));

  return {
    pid: child.pid,
    ended: () => ended,
    request: (method, params, { limitMs, signal, inBackground }) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(new ServerEnded(ended));
        if (signal?.aborted) return reject(new Cancelled());
        const id = ++lastId;
        const bytes = frame({ jsonrpc: "2.0", id, method, params }); // Params that are no JSON reject, and nothing is left waiting.
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          pending.delete(id);
        };
        const abort = (): void => {
          send({ method: "$/cancelRequest", params: { id } });
          settle();
          reject(new Cancelled());
        };
        const timer = setTimeout(() => end(`did not answer ${method} in time`), Math.max(0, limitMs));
        if (inBackground) timer.unref();
        pending.set(id, {
          resolve: (result) => {
            settle();
            resolve(result);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        signal?.addEventListener("abort", abort, { once: true });
        write(bytes);
      }),
    notify: (method, params) => send({ method, params }),
    fail: end,
    stop: async (lastWords) => {
      isStopping = true;
      for (const [method, params] of lastWords) send({ id: ++lastId, method, params });
      if (lastWords.length > 0) {
        send({ id: ++lastId, method: "shutdown" });
        send({ method: "exit" });
        child.stdin.end();
      } else {
        child.stdin.destroy();
        kill("SIGTERM");
      }
      end("was stopped");
      if (!(await settlesWithin(exited, STOP_LIMIT_MS))) kill("SIGKILL");
      await settlesWithin(exited, STOP_LIMIT_MS);
    },
  };
}

/** Whether a promise settles in time. The timer keeps pi alive until then, and not a moment longer. */
export function settlesWithin(promise: Promise<unknown>, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (inTime: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(inTime);
    };
    const abort = (): void => settle(false);
    const timer = setTimeout(abort, Math.max(0, limitMs));
    if (signal?.aborted) return settle(false);
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(
      () => settle(true),
      () => settle(true),
    );
  });
}

function release(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?(): void }).unref?.();
}

function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim();
  return line ? `: ${line.slice(-300)}` : "";
}
