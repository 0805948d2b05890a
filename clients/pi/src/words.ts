/** Every sentence that a person reads. */

import type { Counts } from "./calls.ts";
import type { Status, Trouble } from "./keeper.ts";
import type { Correction } from "./protocol.ts";

const INSTALL = "Install it with `uv tool install edit-assist-ls` or `pipx install edit-assist-ls`, then `/reload`.";

/** How the edit tool is advertised under the profile `strict`. */
export const strictTool = {
  description:
    "Edit a single file by replacing text. Edits apply in order, each to the text that the earlier ones left; all of them are made, or none. Every edits[].oldText must name one place: the literal text, once.",
  promptSnippet: "Make precise file edits, several in one call, in order, all or none",
  promptGuidelines: [
    "Use edit for targeted changes. Batch changes to one file in a single call; a later edit may build on an earlier one.",
    "Copy each edits[].oldText from the file, with enough lines around it to be unique. newText goes in exactly as sent.",
  ],
};

/** What its parameters mean. */
export const strictParameters = {
  edits: "One or more replacements, made in order, each in the text that the earlier ones left. All of them are made, or none.",
  oldText: "Text that stands once in the file as the earlier edits of this call leave it: literally, whole lines where there are several.",
  newText: "What takes its place, exactly as it is to stand in the file, indentation included.",
};

/** What a call is told whose file was another each time it was to be written. */
export function keepsChanging(path: string): string {
  return `${path} keeps changing while it is edited. Nothing was changed. Re-read it and send the edit again.`;
}

/** What a call is told whose file could not be written. */
export function notWritten(path: string, why: string): string {
  return `${path} could not be written (${why}). Nothing was changed. Sending the edit again will not help before that is put right.`;
}

/** What a call is told whose file was written in part, and could not be put back. */
export function halfWritten(path: string, why: string): string {
  return `Writing ${path} failed halfway (${why}), and it could not be put back as it was. Re-read it before you go on.`;
}

/** What is told where this pi does not let the profile `strict` have its tool. */
export function noStrictTool(error: unknown): string {
  const why = String(error).split("\n", 1)[0];
  return shown(`edit-assist: the profile strict needs pi 1.6.0 or newer (${why}). pi's own edit tool runs, without corrections.`);
}

/** What a result says where the server of the profile `strict` could not be asked. */
export const withoutServer = "edit-assist: its server could not be asked, so the host's own edit ran, with the host's own rules.";

/** What is told, once, when there is no server or it was lost. */
export function troubleNotice(trouble: Trouble): string {
  switch (trouble.kind) {
    case "missing": {
      const why = trouble.problem ? `cannot be started: ${trouble.problem}` : "was not found";
      return shown(`edit-assist: edit-assist-ls ${why}. Edits go on without it. ${trouble.problem ? "" : INSTALL}`);
    }
    case "slow":
      return `edit-assist: the server is still starting${trouble.via === "uvx" ? " (uvx may be downloading it)" : ""}. Edits go on without it until it is there.`;
    case "lost": {
      const hint = trouble.wasReady ? "The next edit call tries a fresh one." : trouble.via === "uvx" ? INSTALL : "";
      return shown(`edit-assist: the server ${trouble.detail}. Edits go on without it. ${hint}`);
    }
  }
}

/** What is told when a corrected call succeeded. */
export function correctionNotice(path: string, corrections: readonly Correction[]): string {
  const places = corrections.map(({ startLine, endLine }) => (startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`));
  const carried = corrections.some(({ newText }) => newText === "carried");
  return shown(`edit-assist: corrected the edit of ${path}, ${places.join(", ")}${carried ? " (newText carried along)" : ""}`);
}

/** What is told of the user's settings that are malformed. */
export function problemsNotice(problems: readonly string[]): string {
  return shown(`edit-assist: ${problems.join(" ")}`);
}

/** What `/edit-assist` shows. */
export function overview(status: Status, counts: Counts): string {
  return [serverLine(status), ...troubleLines(status), countsLine(counts), ...settingsLines(status)].map(shown).join("\n");
}

function serverLine({ state, found, pid, servers }: Status): string {
  const where = found ? ` ${found.command} (${found.via})` : "";
  const which = pid === undefined ? "" : `, process ${pid}`;
  const fresh = servers > 1 ? `, started ${servers} times` : "";
  return `edit-assist server: ${state}${where}${which}${fresh}`;
}

function troubleLines({ trouble }: Status): string[] {
  return trouble ? [`last trouble: ${troubleNotice(trouble)}`] : [];
}

function countsLine(counts: Counts): string {
  const { calls, corrected, failed, explained, malformed, blocked, unassisted } = counts;
  return [
    `edit calls: ${calls}, of which corrected ${corrected}, failed ${failed} (explained ${explained}), blocked ${blocked}`,
    `malformed ${malformed}`,
    `without the server ${unassisted}`,
  ].join("; ");
}

function settingsLines({ session }: Status): string[] {
  if (!session) return ["settings: not known, as the server is not there"];
  const settings = Object.entries(session.settings).map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [`settings: ${settings.join(", ")}`, ...session.problems.map((problem) => `problem: ${problem}`)];
}

/** Text of several lines for a person's terminal. */
export function plainLines(text: string): string {
  return text.split("\n").map(shown).join("\n");
}

/** Text from elsewhere as text: what could steer a terminal or turn the writing round is shown by its number. */
function shown(text: string): string {
  return text.trim().replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
