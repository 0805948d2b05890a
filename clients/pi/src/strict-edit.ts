/**
 * The edit tool under the profile `strict`: the server computes, this writes, in the call's turn in pi's own queue of
 * the file. Where the server is gone, pi's own edit runs in that turn, and the result says so.
 */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile, writeFile } from "node:fs/promises";
import type { Keeper } from "./keeper.ts";
import { type EditInput, readEditAnswer, reasonOf } from "./protocol.ts";
import { halfWritten, keepsChanging, notWritten, strictParameters, strictTool, withoutServer } from "./words.ts";
import { Damaged, writeKeeping } from "./writing.ts";

type Host = typeof import("@earendil-works/pi-coding-agent");
type Definition = ReturnType<Host["createEditToolDefinition"]>;
type Result = Awaited<ReturnType<Definition["execute"]>>;
type Schema = Definition["parameters"];

/** What a call came to; `gone`: nobody could be asked. */
type Outcome = { kind: "done"; result: Result } | { kind: "failed"; error: Error } | { kind: "gone" };

const TRIES = 3;

/** Stands for the edits of a call that has none: pi's own tool would refuse it before it says which file it is about. */
const ANY_EDIT = { oldText: "any", newText: "" };

/**
 * Registers the tool over pi's own of that name; `isStrict` says whether it is to act. Rejects where this pi lacks what
 * it is made of: pi then keeps its own tool.
 */
export async function registerStrictEdit(pi: ExtensionAPI, keeper: Keeper, cwd: string, isStrict: () => boolean): Promise<void> {
  const host: Partial<Host> = await import("@earendil-works/pi-coding-agent");
  const make = host.createEditToolDefinition;
  if (!make) throw new Error("this pi does not let its edit tool be built upon");
  const stock = make(cwd);

  const prepareArguments: Definition["prepareArguments"] = (args) =>
    isStrict() && keeper.status().state === "ready" ? (args as EditInput) : (stock.prepareArguments?.(args) ?? (args as EditInput));

  const execute: Definition["execute"] = async (toolCallId, input, signal, onUpdate, ctx) => {
    if (!isStrict()) return stock.execute(toolCallId, input, signal, onUpdate, ctx);
    const isEmpty = input.edits.length === 0;
    let outcome: Outcome | undefined;
    // pi's own tool resolves the path and waits for its turn in the queue of the file, as each of its calls does, in the
    // order of the calls; its first question there is whether the file may be had. All is done within that question.
    const inTurn = make(cwd, {
      operations: {
        access: async (path) => {
          outcome = await edited(keeper, path, toolCallId, input as EditInput, signal);
          if (outcome.kind !== "gone" || isEmpty) throw new Error("settled");
          await access(path, constants.R_OK | constants.W_OK);
        },
        readFile: (path) => readFile(path),
        writeFile: (path, content) => writeFile(path, content, "utf-8"),
      },
    });
    const asked = isEmpty ? { ...input, edits: [ANY_EDIT] } : input;
    const own = await settled(() => inTurn.execute(toolCallId, asked, signal, onUpdate, ctx));
    const told = outcome as Outcome | undefined;
    if (told?.kind === "done") return told.result;
    if (told?.kind === "failed") throw told.error;
    if (!told) return unwrapped(own);
    return unwrapped(saidSo(isEmpty ? await settled(() => stock.execute(toolCallId, input, signal, onUpdate, ctx)) : own));
  };
  pi.registerTool({ ...stock, ...strictTool, parameters: described(stock.parameters), prepareArguments, execute });
}

/** pi's own parameters, with what they mean here. */
function described(parameters: Schema): Schema {
  const { edits } = parameters.properties;
  const { oldText, newText } = edits.items.properties;
  const texts = {
    oldText: { ...oldText, description: strictParameters.oldText },
    newText: { ...newText, description: strictParameters.newText },
  };
  const items = { ...edits.items, properties: texts };
  const properties = { ...parameters.properties, edits: { ...edits, description: strictParameters.edits, items } };
  return { ...parameters, properties };
}

/** Computes and writes one call. Never rejects. */
async function edited(
  keeper: Keeper,
  path: string,
  toolCallId: string,
  input: EditInput,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  try {
    for (let tries = 1; tries <= TRIES; tries++) {
      const answer = await keeper.ask({
        method: "editAssist/edit",
        params: { toolCallId, toolName: "edit", input },
        read: readEditAnswer,
        cause: toolCallId,
        signal,
      });
      if (signal?.aborted) return failed("Operation aborted");
      if (!answer) return { kind: "gone" };
      const outcome = answer.value;
      if (!outcome.ok) return failed(outcome.text);
      const before = await readFile(path);
      if (createHash("sha256").update(before).digest("hex") !== outcome.sha256) continue;
      if (signal?.aborted) return failed("Operation aborted");
      await writeKeeping(path, Buffer.from(outcome.content, "utf-8"), before);
      const details = outcome.details as unknown as Result["details"];
      return { kind: "done", result: { content: [{ type: "text", text: outcome.text }], details } };
    }
    return failed(keepsChanging(input.path));
  } catch (error) {
    const why = reasonOf(error);
    return failed(error instanceof Damaged ? halfWritten(input.path, why) : notWritten(input.path, why));
  }
}

function failed(text: string): Outcome {
  return { kind: "failed", error: new Error(text) };
}

type Settled = { result: Result } | { error: unknown };

async function settled(run: () => Promise<Result>): Promise<Settled> {
  try {
    return { result: await run() };
  } catch (error) {
    return { error };
  }
}

function unwrapped(own: Settled): Result {
  if ("error" in own) throw own.error;
  return own.result;
}

/** What pi's own edit came to, with the words that it was that. */
function saidSo(own: Settled): Settled {
  if ("result" in own) return { result: { ...own.result, content: [...own.result.content, { type: "text", text: withoutServer }] } };
  const { error } = own;
  return { error: new Error(`${reasonOf(error)}\n\n${withoutServer}`) };
}
