/** Messages to the person. Their text is plain (see plain.ts), none takes the focus, none is waited for. */

import * as vscode from "vscode";
import { reasonOf } from "./protocol.ts";
import * as words from "./words.ts";

export function warning(message: string): void {
  void vscode.window.showWarningMessage(message);
}

export function information(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** The server cannot run: with the ways out of it. */
export function serverMissing(message: string, log: vscode.LogOutputChannel): void {
  log.error(message);
  const choices = [words.SHOW_INSTRUCTIONS, words.RESTART, words.SHOW_LOG];
  void vscode.window.showErrorMessage(message, ...choices).then((chosen) => {
    if (chosen === words.SHOW_INSTRUCTIONS) return vscode.commands.executeCommand("editAssist.showInstructions");
    if (chosen === words.RESTART) return vscode.commands.executeCommand("editAssist.restart");
    if (chosen === words.SHOW_LOG) log.show();
    return undefined;
  });
}

/** Does some work for the person; what it throws is told as a message, and comes to undefined. */
export async function whatGoesWrong<T>(work: () => Promise<T>, log: vscode.LogOutputChannel): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const message = reasonOf(error);
    log.warn(message);
    warning(words.refused(message));
    return undefined;
  }
}
