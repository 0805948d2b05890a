/** What the server says of edit calls. Lines are 1-based and inclusive, `at` is RFC 3339 UTC. */

import type { WorkspaceEdit } from "vscode-languageclient/node";

export type State = "exact" | "corrected" | "failed" | "applied" | "dismissed";

export interface Edit {
  readonly state: State;
  readonly code?: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

export interface Call {
  readonly id: string;
  readonly host: string;
  readonly toolCallId: string;
  readonly uri: string;
  readonly state: State;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly summary: string;
  readonly at: string;
  readonly edits: readonly Edit[];
}

/** What a call would make of its file now. `edit` is there where all that was asked for fits, `stale` where it does not. */
export interface Preview {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly edit?: WorkspaceEdit;
  readonly stale?: string;
}

/** A call, or one edit of it (from 0). */
export interface Target {
  readonly id: string;
  readonly editIndex?: number;
}

/** The version of the requests below that this extension speaks. */
export const PROTOCOL = 1;
export const CALLS = "editAssist/calls";
export const PREVIEW = "editAssist/preview";
export const CALLS_CHANGED = "editAssist/didChangeCalls";

/** Commands of the server. The language client registers them with VS Code under these ids, so none of ours has one. */
export type ServerCommand = "editAssist.dismiss" | "editAssist.applied";

export function targetOf(id: string, editIndex?: number): Target {
  return editIndex === undefined ? { id } : { id, editIndex };
}

export function argumentsOf(target: Target): [string, ...number[]] {
  return target.editIndex === undefined ? [target.id] : [target.id, target.editIndex];
}

/** The version of our requests that a server speaks by its `capabilities.experimental`; undefined where it has none. */
export function protocolOf(experimental: unknown): number | undefined {
  const own = isRecord(experimental) ? experimental["editAssist"] : undefined;
  const version = isRecord(own) ? own["protocol"] : undefined;
  return typeof version === "number" ? version : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What something that was thrown says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
