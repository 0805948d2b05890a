/** The rows of the list as values: what stands in them, and what can be done with them. */

import type { Call, Edit, State, Target } from "./protocol.ts";
import { targetOf } from "./protocol.ts";
import * as words from "./words.ts";

export interface Row {
  /** The same for the same call or edit, also after the list was read again. */
  readonly key: string;
  readonly call: Call;
  readonly target: Target;
  readonly state: State;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly spoken: string;
  /** Words for menus: `fits` (can be put in and compared), `open` (can be dismissed). */
  readonly context: string;
  readonly children: readonly Row[];
}

// Edits that want nothing of the file that could be put in.
const WITHOUT_EDIT = new Set(["malformed-arguments", "no-change", "empty-old-text", "already-applied", "not-utf8", "blocked"]);

/** A row for each call, with one below it for each edit where there are several. */
export function rowsOf(calls: readonly Call[], clock: (at: string) => string): Row[] {
  return calls.map((call) => {
    const tooltip = words.callTooltip(call, clock);
    return {
      key: call.id,
      call,
      target: targetOf(call.id),
      state: call.state,
      label: words.placeOf(call),
      description: words.callDescription(call),
      tooltip,
      spoken: words.callSpoken(call),
      context: contextOf(call.state, call.edits),
      children: call.edits.length < 2 ? [] : call.edits.map((edit, index) => editRow(call, edit, index, tooltip)),
    };
  });
}

function editRow(call: Call, edit: Edit, index: number, tooltip: string): Row {
  const description = words.editDescription(edit);
  return {
    key: `${call.id}/${index}`,
    call,
    target: targetOf(call.id, index),
    state: edit.state,
    label: words.editLabel(index),
    description,
    tooltip,
    spoken: `${words.editLabel(index)}, ${edit.state}, ${description}`,
    context: contextOf(edit.state, [edit]),
    children: [],
  };
}

/** Whether an edit, by what is known of it here, can be put in. */
export function mayFit(edit: Edit): boolean {
  const isOpen = edit.state === "failed" || edit.state === "dismissed";
  return isOpen && edit.startLine !== undefined && !WITHOUT_EDIT.has(edit.code ?? "");
}

/** Whether an edit fits at several places, so that a person must say which. */
export function isAmbiguous(edit: Edit | undefined): boolean {
  return edit?.code === "ambiguous" && mayFit(edit);
}

function contextOf(state: State, edits: readonly Edit[]): string {
  return [edits.some(mayFit) ? "fits" : "", state === "failed" ? "open" : ""].filter(Boolean).join(" ");
}

/** The calls that failed after `since` (milliseconds of the epoch) and are not in `known`, oldest first. */
export function newlyFailed(calls: readonly Call[], since: number, known: ReadonlySet<string>): Call[] {
  const found = calls.filter((call) => call.state === "failed" && !known.has(call.id) && Date.parse(call.at) >= since);
  return found.reverse();
}
