/**
 * The edit tool under the profile `strict`: the server computes, this writes, inside pi's own queue of the file. Where
 * the server is gone, pi's own edit runs, and the result says so.
 */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Keeper } from "./keeper.ts";
import { type EditInput, readEditAnswer } from "./protocol.ts";
import { strictTool, withoutServer } from "./words.ts";
import { writeKeeping } from "./writing.ts";

type Host = typeof import("@earendil-works/pi-coding-agent");
type Definition = ReturnType<Host["createEditToolDefinition"]>;
type Context = Parameters<Definition["execute"]>[4];
type Result = Awaited<ReturnType<Definition["execute"]>>;

const TRIES = 3;
const GONE = Symbol("gone");

/**
 * Registers the tool over pi's own of that name; `isStrict` says whether it is to act. A pi that lacks what it is made
 * of keeps its own tool.
 */
export async function registerStrictEdit(pi: ExtensionAPI, keeper: Keeper, cwd: string, isStrict: () => boolean): Promise<void> {
  const host: Partial<Host> = await import("@earendil-works/pi-coding-agent");
  const { createEditToolDefinition, withFileMutationQueue } = host;
  if (!createEditToolDefinition || !withFileMutationQueue) return;
  const stock = createEditToolDefinition(cwd);
  const { prepareArguments: _folded, ...inherited } = stock;

  const execute: Definition["execute"] = async (toolCallId, input, signal, onUpdate, ctx) => {
    if (!isStrict()) return stock.execute(toolCallId, input, signal, onUpdate, ctx);
    const path = await resolved(createEditToolDefinition, ctx?.cwd || cwd, input as EditInput, ctx);
    const outcome = await withFileMutationQueue(path, () => edited(keeper, path, toolCallId, input as EditInput, signal));
    if (outcome !== GONE) return outcome;
    return toldSo(() => stock.execute(toolCallId, input, signal, onUpdate, ctx));
  };
  pi.registerTool({ ...inherited, ...strictTool, execute });
}

/** The absolute path that pi opens for a call: asked of its own tool, which is stopped as soon as it has said it. */
async function resolved(make: Host["createEditToolDefinition"], cwd: string, input: EditInput, ctx: Context): Promise<string> {
  let path = "";
  const stop = new Error("the path is known");
  const access = (absolutePath: string): Promise<void> => {
    path = absolutePath;
    return Promise.reject(stop);
  };
  const probe = make(cwd, { operations: { access, readFile: () => Promise.reject(stop), writeFile: () => Promise.reject(stop) } });
  const edits = input.edits.length > 0 ? input.edits : [{ oldText: "x", newText: "" }];
  await probe.execute("path", { path: input.path, edits }, undefined, undefined, ctx).catch(() => undefined);
  if (!path) throw new Error(`Could not edit file: ${input.path}. Its path cannot be resolved.`);
  return path;
}

async function edited(
  keeper: Keeper,
  path: string,
  toolCallId: string,
  input: EditInput,
  signal: AbortSignal | undefined,
): Promise<Result | typeof GONE> {
  for (let tries = 1; ; tries++) {
    const answer = await keeper.ask({
      method: "editAssist/edit",
      params: { toolCallId, toolName: "edit", input },
      read: readEditAnswer,
      cause: toolCallId,
      signal,
    });
    if (signal?.aborted) throw new Error("Operation aborted");
    if (!answer) return GONE;
    const outcome = answer.value;
    if (!outcome.ok) throw new Error(outcome.text);
    const digest = createHash("sha256").update(await readFile(path)).digest("hex");
    if (digest !== outcome.sha256) {
      if (tries < TRIES) continue;
      throw new Error(`${input.path} keeps changing while it is edited. Nothing was changed. Re-read it and try again.`);
    }
    if (signal?.aborted) throw new Error("Operation aborted");
    await writeKeeping(path, Buffer.from(outcome.content, "utf-8"));
    return { content: [{ type: "text", text: outcome.text }], details: outcome.details as unknown as Result["details"] };
  }
}

/** pi's own edit, whose result or error says that it was that. */
async function toldSo(run: () => Promise<Result>): Promise<Result> {
  try {
    const result = await run();
    return { ...result, content: [...result.content, { type: "text", text: withoutServer }] };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${withoutServer}`);
  }
}
