/** The pi extension: passes pi's hooks on to edit-assist-ls and does what it answers. Whatever goes wrong, pi goes on. */

import type {
  ExtensionAPI,
  ExtensionContext,
  MessageEndEvent,
  MessageEndEventResult,
  ToolCallEvent,
  ToolCallEventResult,
  ToolResultEvent,
  ToolResultEventResult,
} from "@earendil-works/pi-coding-agent";
import { beginMessage, copyInPlace, newCalls, sawSiblings } from "./calls.ts";
import { type Keeper, makeKeeper, type SessionFacts, type Trouble } from "./keeper.ts";
import { type Block, readContent, readIsError, readMessage, readRule, readToolCallAnswer } from "./protocol.ts";
import { repaired } from "./repair.ts";
import { drawAdditions } from "./row.ts";
import { giveGuidelines, giveRule } from "./rule.ts";
import { registerStrictEdit } from "./strict-edit.ts";
import { correctionNotice, noStrictTool, overview, problemsNotice, strictTool, troubleNotice } from "./words.ts";

const EDIT = "edit";
const WRITE = "write";
const TROUBLE_TOLD_EVERY_MS = 600_000;

type Level = "info" | "warning";

export default function editAssist(pi: ExtensionAPI): void {
  let context: ExtensionContext | undefined;
  let calls = newCalls();
  let troubleToldAt = Number.NEGATIVE_INFINITY;
  let problemsTold = "";
  let prompts = 0;

  const tell = (text: string, level: Level): void => {
    try {
      context?.ui.notify(text, level);
    } catch {
      // The session was replaced meanwhile.
    }
  };
  const onTrouble = (trouble: Trouble): void => {
    const now = performance.now();
    if (now - troubleToldAt < TROUBLE_TOLD_EVERY_MS) return;
    troubleToldAt = now;
    tell(troubleNotice(trouble), "warning");
  };
  const fetchParts = drawAdditions(pi);
  let strict = false;
  let registering: Promise<void> | undefined;
  let registered = false;
  const keeper: Keeper = makeKeeper({
    onTrouble,
    onReady: ({ problems, settings }) => {
      strict = settings["profile"] === "strict" && settings["enabled"] !== false;
      if (strict && context)
        registering ??= registerStrictEdit(pi, keeper, context.cwd, () => strict).then(
          () => void (registered = true),
          (error: unknown) => tell(noStrictTool(error), "warning"),
        );
      const notice = problems.length > 0 ? problemsNotice(problems) : "";
      if (notice && notice !== problemsTold) tell(notice, "warning");
      problemsTold = notice;
    },
  });

  const onToolCall = async (event: ToolCallEvent, ctx: ExtensionContext): Promise<ToolCallEventResult | undefined> => {
    const { toolName, toolCallId } = event;
    if (toolName !== EDIT && toolName !== WRITE) return undefined;
    if (toolName === EDIT) calls.counts.calls++;
    const isNested = event.parentToolCallId !== undefined;
    const input = event.input as Record<string, unknown>;
    const sibling = isNested || calls.messageId === undefined ? {} : { messageId: calls.messageId };
    const answer = await keeper.ask({
      method: "editAssist/toolCall",
      params: { toolCallId, toolName, input, ...sibling },
      read: (value) => readToolCallAnswer(value, input["path"]),
      accepts: (server) => isNested || sawSiblings(calls, server),
      cause: toolCallId,
      signal: ctx.signal,
    });
    if (!isNested) calls.open.set(toolCallId, answer?.server ?? 0);
    if (!answer) {
      if (toolName === EDIT) calls.counts.unassisted++;
      return undefined;
    }
    const { block, input: corrected, corrections } = answer.value;
    if (block !== undefined) {
      calls.counts.blocked++;
      return { block: true, reason: block };
    }
    if (corrected && toolName === EDIT) {
      copyInPlace(input, corrected);
      calls.corrected.set(toolCallId, corrections);
    }
    return undefined;
  };

  const onToolResult = async (event: ToolResultEvent, ctx: ExtensionContext): Promise<ToolResultEventResult | undefined> => {
    const { toolName, toolCallId, input, content, isError, details } = event;
    if (toolName !== EDIT && toolName !== WRITE) return undefined;
    const corrections = calls.corrected.get(toolCallId);
    calls.open.delete(toolCallId);
    calls.corrected.delete(toolCallId);
    calls.ran.add(toolCallId);
    const stock = content as readonly object[] as readonly Block[];
    if (corrections && !isError) {
      calls.counts.corrected++;
      tell(correctionNotice(String(input["path"]), corrections), "info");
    }
    if (isError && toolName === EDIT) calls.counts.failed++;
    const answer = await keeper.ask({
      method: "editAssist/toolResult",
      params: { toolCallId, toolName, input, content, isError, ...(details === undefined ? {} : { details }) },
      read: (value) => ({ content: readContent(value, stock), isError: readIsError(value) }),
      cause: toolCallId,
      signal: ctx.signal,
    });
    if (!answer?.value.content) return undefined;
    if (isError && toolName === EDIT) calls.counts.explained++;
    return {
      content: answer.value.content as object[] as ToolResultEvent["content"],
      ...(answer.value.isError === undefined ? {} : { isError: answer.value.isError }),
      ...(event.structuredContent === undefined ? {} : { structuredContent: event.structuredContent }),
    };
  };

  const onMessageEnd = async (event: MessageEndEvent, ctx: ExtensionContext): Promise<MessageEndEventResult | undefined> => {
    const { message } = event;
    if (message.role === "assistant") {
      beginMessage(calls);
      if (message.stopReason === "length" || message.stopReason === "aborted" || message.stopReason === "error") return undefined;
      const { messageId } = calls;
      const content = await repaired(keeper, message.content as readonly object[] as readonly Block[], { editTool: EDIT, messageId, signal: ctx.signal });
      return content && { message: { ...message, content: content as object[] as typeof message.content } };
    }
    if (message.role !== "toolResult") return undefined;
    const { toolName, toolCallId } = message;
    if (toolName !== EDIT && toolName !== WRITE) return undefined;
    const neverRan = !calls.ran.has(toolCallId) && !calls.open.has(toolCallId);
    calls.open.delete(toolCallId);
    if (neverRan && message.isError && toolName === EDIT && !ctx.signal?.aborted) calls.counts.malformed++;
    const stock = message.content as readonly object[] as readonly Block[];
    const answer = await keeper.ask({
      method: "editAssist/messageEnd",
      params: { toolCallId, toolName, message },
      read: (value) => {
        const changed = readMessage(value);
        return changed === undefined ? undefined : { content: readContent(changed, stock), isError: readIsError(changed) };
      },
      cause: toolCallId,
      signal: ctx.signal,
    });
    if (!answer?.value?.content) return undefined;
    const content = answer.value.content as object[] as typeof message.content;
    return { message: { ...message, content, isError: answer.value.isError ?? message.isError } };
  };

  pi.on("session_start", (_event, ctx) =>
    unharmed(() => {
      context = ctx;
      calls = newCalls();
      if (ctx.mode === "tui") fetchParts();
      keeper.start(factsOf(ctx));
    }),
  );
  pi.on("session_shutdown", () =>
    unharmed(async () => {
      context = undefined;
      await keeper.stop();
    }),
  );
  pi.on("before_agent_start", (event, ctx) =>
    unharmed(async () => {
      await keeper.ready(ctx.signal);
      await registering;
      if (registered) giveGuidelines(event, EDIT, strictTool);
      const activeTools = pi.getActiveTools();
      if (!activeTools.includes(EDIT)) return undefined;
      const answer = await keeper.ask({
        method: "editAssist/beforeAgentStart",
        params: { systemPrompt: event.systemPrompt, activeTools },
        read: readRule,
        cause: `prompt ${++prompts}`,
        signal: ctx.signal,
      });
      return answer?.value && giveRule(event, answer.value.rule, answer.value.systemPrompt);
    }),
  );
  pi.on("tool_call", (event, ctx) => unharmed(() => onToolCall(event, ctx)));
  pi.on("tool_result", (event, ctx) => unharmed(() => onToolResult(event, ctx)));
  pi.on("message_end", (event, ctx) => unharmed(() => onMessageEnd(event, ctx)));
  pi.registerCommand("edit-assist", {
    description: "Show what edit-assist did in this session, and its settings",
    handler: async (_args, ctx) => ctx.ui.notify(overview(keeper.status(), calls.counts), "info"),
  });
}

/** What the server is told about a session; a host that knows no trust (before 0.79) says nothing about it. */
function factsOf(ctx: ExtensionContext): SessionFacts {
  const host: Partial<Pick<ExtensionContext, "isProjectTrusted" | "sessionManager">> = ctx;
  return {
    sessionId: host.sessionManager?.getSessionId(),
    cwd: ctx.cwd,
    projectTrusted: host.isProjectTrusted?.(),
  };
}

/** Runs a hook; one that fails has no effect. (pi would block the call that a failing `tool_call` hook looks at.) */
async function unharmed<T>(hook: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await hook();
  } catch {
    return undefined;
  }
}
