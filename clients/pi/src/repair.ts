/** Edit calls whose arguments are malformed, repaired on the assistant's own message, before pi validates them. */

import type { Keeper } from "./keeper.ts";
import { type Block, isRecord, readPreparedArguments } from "./protocol.ts";

const RECEIVED = "\n\nReceived arguments:\n";

/**
 * The blocks of an assistant's message with the arguments of its edit calls in the tool's own shape; undefined where
 * nothing is to be changed. The server remembers what it says of a call, for the call's result.
 */
export async function repaired(
  keeper: Keeper,
  content: readonly Block[],
  terms: { editTool: string; messageId: string | undefined; signal: AbortSignal | undefined },
): Promise<Block[] | undefined> {
  const answers = await Promise.all(content.map((block) => (isCallOf(block, terms.editTool) ? prepare(keeper, block, terms) : undefined)));
  if (answers.every((answer) => answer === undefined)) return undefined;
  return content.map((block, at) => {
    const prepared = answers[at];
    if (!prepared) return block;
    const { argumentsError: _dropped, ...kept } = block;
    return { ...kept, type: block.type, arguments: prepared };
  });
}

function isCallOf(block: Block, tool: string): boolean {
  return block.type === "toolCall" && block["name"] === tool && typeof block["id"] === "string";
}

async function prepare(
  keeper: Keeper,
  block: Block,
  { editTool, messageId, signal }: { editTool: string; messageId: string | undefined; signal: AbortSignal | undefined },
): Promise<Record<string, unknown> | undefined> {
  const toolCallId = String(block["id"]);
  const answer = await keeper.ask({
    method: "editAssist/prepareArguments",
    params: { toolCallId, toolName: editTool, arguments: sent(block), ...(messageId === undefined ? {} : { messageId }) },
    read: readPreparedArguments,
    cause: toolCallId,
    signal,
  });
  return answer?.value;
}

/** The arguments as the model sent them: the text itself where pi could not read it as JSON. */
function sent(block: Block): unknown {
  const error = block["argumentsError"];
  if (typeof error !== "string") return block["arguments"] ?? null;
  const at = error.indexOf(RECEIVED);
  if (at < 0) return block["arguments"] ?? null;
  const text = error.slice(at + RECEIVED.length);
  return isRecord(block["arguments"]) && Object.keys(block["arguments"]).length > 0 ? block["arguments"] : text;
}
