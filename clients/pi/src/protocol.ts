/** The part of the wire contract that this extension speaks, and the checks that every answer has to pass. */

/** This package's version, as in package.json. */
export const VERSION = "0.1.0";

/** What became of one edit of a call. Lines count from 1 and are inclusive. */
export interface Correction {
  editIndex: number;
  kind: string;
  startLine: number;
  endLine: number;
  newText: string;
}

/** The answer to `editAssist/toolCall`; `input` is the whole corrected argument object, absent where unchanged. */
export interface ToolCallAnswer {
  input: EditInput | undefined;
  corrections: Correction[];
  block: string | undefined;
}

/** The arguments of the host's edit tool. Other keys are kept. */
export interface EditInput {
  path: string;
  edits: { oldText: string; newText: string }[];
  [key: string]: unknown;
}

/** One block of a tool result, as the host has it. */
export interface Block {
  type: string;
  [key: string]: unknown;
}

/** The server's effective settings and what is wrong with those the user wrote. */
export interface SessionAnswer {
  settings: Record<string, unknown>;
  problems: string[];
}

/** An answer that is not of the agreed shape. The extension then goes on as if there had been none. */
export class Nonsense extends Error {}

/** The answer to `editAssist/sessionStart`. Throws Nonsense. */
export function readSessionAnswer(value: unknown): SessionAnswer {
  const { settings, problems } = record(value, "sessionStart");
  if (!isRecord(settings) || !Array.isArray(problems)) throw new Nonsense("sessionStart answered in a wrong shape");
  return { settings, problems: problems.filter((problem) => typeof problem === "string") };
}

/** The rule and the prompt with it from `editAssist/beforeAgentStart`; undefined where there is none to give. */
export function readRule(value: unknown): { rule: string; systemPrompt: string | undefined } | undefined {
  const { rule, systemPrompt } = record(value, "beforeAgentStart");
  if (rule === undefined || rule === null) return undefined;
  if (typeof rule !== "string") throw new Nonsense("beforeAgentStart answered a rule that is no text");
  return { rule, systemPrompt: typeof systemPrompt === "string" ? systemPrompt : undefined };
}

/**
 * The answer to `editAssist/toolCall` for a call on `path`. Throws Nonsense: the host does not look at its arguments
 * again after this.
 */
export function readToolCallAnswer(value: unknown, path: unknown): ToolCallAnswer {
  const { input, corrections, block } = record(value, "toolCall");
  const answer: ToolCallAnswer = { input: undefined, corrections: [], block: undefined };
  if (isRecord(block)) {
    if (typeof block["reason"] !== "string") throw new Nonsense("toolCall blocked without a reason");
    answer.block = block["reason"];
  }
  if (input === undefined || input === null) return answer;
  if (!isEditInput(input) || input.path !== path)
    throw new Nonsense("toolCall answered an input that is no edit call on the same file");
  answer.input = input;
  if (Array.isArray(corrections)) answer.corrections = corrections.filter(isCorrection);
  return answer;
}

/** The answer to `editAssist/prepareArguments`: the whole call in the tool's own shape. Throws Nonsense. */
export function readPreparedArguments(value: unknown): Record<string, unknown> | undefined {
  const { arguments: prepared } = record(value, "prepareArguments");
  if (prepared === undefined || prepared === null) return undefined;
  if (!isEditInput(prepared)) throw new Nonsense("prepareArguments answered arguments that are no edit call");
  return prepared;
}

/** The answer to `editAssist/edit`: a file's next content for the bytes of that hash, or why there is none. */
export type EditAnswer =
  | { ok: true; text: string; content: string; sha256: string; details: Record<string, unknown> }
  | { ok: false; text: string };

/** Reads the answer to `editAssist/edit`. Throws Nonsense. */
export function readEditAnswer(value: unknown): EditAnswer {
  const { ok, text, content, sha256, details } = record(value, "edit");
  if (typeof text !== "string") throw new Nonsense("edit answered no text");
  if (ok !== true) return { ok: false, text };
  if (typeof content !== "string" || typeof sha256 !== "string" || !isRecord(details)) throw new Nonsense("edit answered no content");
  return { ok: true, text, content, sha256, details };
}

/**
 * The blocks of an answer to `toolResult`, or of the message in one to `messageEnd`: undefined where unchanged.
 * Throws Nonsense where the host's own text, verbatim, does not stand first.
 */
export function readContent(value: unknown, stock: readonly Block[]): Block[] | undefined {
  const { content } = record(value, "a result");
  if (content === undefined || content === null) return undefined;
  if (!Array.isArray(content) || !content.every(isBlock)) throw new Nonsense("the content answered is no list of blocks");
  const text = stock.find((block) => block.type === "text")?.["text"];
  if (typeof text === "string") {
    const first = content.find((block) => block.type === "text")?.["text"];
    if (typeof first !== "string" || !first.startsWith(text)) throw new Nonsense("the host's own text was not kept");
  }
  return content;
}

/** The error flag of such an answer, where it sets one. */
export function readIsError(value: unknown): boolean | undefined {
  const { isError } = record(value, "a result");
  return typeof isError === "boolean" ? isError : undefined;
}

/** The message of an answer to `messageEnd`, where it has one. */
export function readMessage(value: unknown): unknown {
  return record(value, "messageEnd")["message"] ?? undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What something that was thrown says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Nonsense(`${what} was answered by something that is no object`);
  return value;
}

function isEditInput(value: unknown): value is EditInput {
  if (!isRecord(value) || typeof value["path"] !== "string" || !Array.isArray(value["edits"])) return false;
  return value["edits"].every(
    (edit) => isRecord(edit) && typeof edit["oldText"] === "string" && typeof edit["newText"] === "string",
  );
}

function isCorrection(value: unknown): value is Correction {
  return isRecord(value) && typeof value["startLine"] === "number" && typeof value["endLine"] === "number";
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value["type"] === "string" && (value["type"] !== "text" || typeof value["text"] === "string");
}
