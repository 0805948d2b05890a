/** The commands, and which call each is about: the row it was chosen on, what a quick fix says, or one that is picked. */

import * as vscode from "vscode";
import { apply } from "./applying.ts";
import type { Calls } from "./calls.ts";
import type { Difference } from "./difference.ts";
import { goTo } from "./going.ts";
import type { Call, Target } from "./protocol.ts";
import { isRecord, targetOf } from "./protocol.ts";
import { mayFit } from "./rows.ts";
import * as say from "./say.ts";
import type { Server } from "./server.ts";
import { DIFFERENCE_COMMAND } from "./server.ts";
import { VIEW } from "./view.ts";
import * as words from "./words.ts";

/** What a command is about. A quick fix may be newer than the list: then its call is not known yet. */
interface Subject {
  readonly call: Call | undefined;
  readonly target: Target;
}

export interface Parts {
  readonly server: Server;
  readonly calls: Calls;
  readonly difference: Difference;
  readonly log: vscode.LogOutputChannel;
  readonly instructions: vscode.Uri;
}

export function registerCommands(parts: Parts, disposables: vscode.Disposable[]): void {
  const { server, calls, difference, log, instructions } = parts;
  const register = (id: string, work: (...given: unknown[]) => Promise<unknown>): void => {
    disposables.push(vscode.commands.registerCommand(id, (...given: unknown[]) => say.whatGoesWrong(() => work(...given), log)));
  };
  const aboutCall = (id: string, isMeant: (call: Call) => boolean, nothing: string, work: (subject: Subject) => Promise<unknown>): void => {
    register(id, async (...given) => {
      const subject = given.length > 0 ? givenSubject(calls, given) : await chosen(parts, isMeant, nothing);
      if (subject !== undefined) await work(subject);
    });
  };

  aboutCall("editAssist.goToCall", () => true, words.NO_CALL, (subject) => goTo(server, listed(subject), subject.target));
  aboutCall("editAssist.applyCall", isApplicable, words.NO_FAILING_CALL, (subject) => apply(server, listed(subject), subject.target));
  aboutCall("editAssist.dismissCall", isFailing, words.NO_FAILING_CALL, ({ target }) => server.execute("editAssist.dismiss", target));
  aboutCall(DIFFERENCE_COMMAND, isApplicable, words.NO_FAILING_CALL, ({ target }) => difference.show(target));
  register("editAssist.showCalls", async () => vscode.commands.executeCommand(`${VIEW}.focus`));
  register("editAssist.refreshCalls", () => calls.refresh());
  register("editAssist.restart", () => server.restart());
  register("editAssist.showLog", async () => log.show());
  register("editAssist.showInstructions", async () => vscode.commands.executeCommand("markdown.showPreview", instructions));
}

/** What a command was given: a row of the view, or a call's id and which of its edits. */
function givenSubject(calls: Calls, given: readonly unknown[]): Subject | undefined {
  const [first, second] = given;
  const target =
    typeof first === "string"
      ? targetOf(first, typeof second === "number" ? second : undefined)
      : isRecord(first) && isTarget(first["target"])
        ? first["target"]
        : undefined;
  return target && { call: calls.find(target), target };
}

function listed({ call }: Subject): Call {
  if (call === undefined) throw new Error(words.NOT_LISTED);
  return call;
}

/** The call at the cursor, else the only one that is meant, else one that the person picks. */
async function chosen({ server, calls }: Parts, isMeant: (call: Call) => boolean, nothing: string): Promise<Subject | undefined> {
  const meant = calls.list().filter(isMeant);
  const here = atCursor(server);
  const callHere = here && meant.find(({ id }) => id === here.id);
  if (here !== undefined && callHere !== undefined) return { call: callHere, target: here };
  const [only] = meant;
  if (only === undefined) throw new Error(nothing);
  if (meant.length === 1) return { call: only, target: targetOf(only.id) };
  const choices = meant.map((call) => ({ label: words.placeOf(call), description: words.callDescription(call), call }));
  const picked = await vscode.window.showQuickPick(choices, { title: words.WHICH_CALL, matchOnDescription: true });
  return picked && { call: picked.call, target: targetOf(picked.call.id) };
}

function atCursor(server: Server): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const [uri, at] = [editor.document.uri.toString(), editor.selection.active];
  const here = server.failing().find((one) => one.uri.toString() === uri && one.range.start.line <= at.line && at.line <= one.range.end.line);
  return here && targetOf(here.id, here.editIndex);
}

function isFailing(call: Call): boolean {
  return call.state === "failed";
}

function isApplicable(call: Call): boolean {
  return call.edits.some(mayFit);
}

function isTarget(value: unknown): value is Target {
  return isRecord(value) && typeof value["id"] === "string";
}
