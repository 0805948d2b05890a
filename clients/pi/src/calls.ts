/** What the extension remembers of a session's calls: which are siblings, which were corrected, and how many. */

import { randomUUID } from "node:crypto";
import type { Correction } from "./protocol.ts";

export interface Counts {
  calls: number;
  corrected: number;
  failed: number;
  explained: number;
  malformed: number;
  blocked: number;
  unassisted: number;
}

export interface Calls {
  readonly counts: Counts;
  /** The id of the assistant message whose calls come now; undefined before the first. */
  messageId: string | undefined;
  /**
   * The calls of this message without a result yet, each with the number of the server that judged it (0: none). A
   * server predicts what a file will hold from the siblings it saw; one that did not see them all must not be asked.
   */
  readonly open: Map<string, number>;
  /** Calls that were corrected and have no result yet. */
  readonly corrected: Map<string, Correction[]>;
  /** Calls of this message that ran: their result hook came. */
  readonly ran: Set<string>;
}

export function newCalls(): Calls {
  const counts = { calls: 0, corrected: 0, failed: 0, explained: 0, malformed: 0, blocked: 0, unassisted: 0 };
  return { counts, messageId: undefined, open: new Map(), corrected: new Map(), ran: new Set() };
}

/** A new assistant message: the calls of the one before have all come to an end. */
export function beginMessage(calls: Calls): void {
  calls.messageId = randomUUID();
  calls.open.clear();
  calls.corrected.clear();
  calls.ran.clear();
}

/** Whether the server of that number judged every sibling that is still to run. */
export function sawSiblings(calls: Calls, server: number): boolean {
  return [...calls.open.values()].every((number) => number === server);
}

/** Copies a corrected argument object over the call's own, in place: the host looks at nothing else. */
export function copyInPlace(target: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key];
  Object.assign(target, source);
}
