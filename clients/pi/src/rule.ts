/** The prompt rule, put into the prompt once by the cheapest means that the host offers; and a tool's own rules. */

import { isRecord } from "./protocol.ts";

const SECTION = "edit_assist";

/** The part of the host's `before_agent_start` event that is looked at. */
export interface PromptEvent {
  readonly systemPrompt: string;
  systemPromptOptions?: unknown;
}

/**
 * A guideline among the host's own; where the prompt shows none of these (it was replaced by the user's), a section;
 * where the host knows neither, or another extension replaced the prompt, the whole prompt, as `replaced` has it.
 * Answers what the hook has to return.
 */
export function giveRule(event: PromptEvent, rule: string, replaced: string | undefined): { systemPrompt: string } | undefined {
  if (event.systemPrompt.includes(rule)) return undefined;
  const options = isRecord(event.systemPromptOptions) ? event.systemPromptOptions : {};
  const guidelines = options["promptGuidelines"];
  if (Array.isArray(guidelines)) {
    guidelines.push(rule);
    if (event.systemPrompt.includes(rule)) return undefined;
    guidelines.pop();
  }
  const sections = options["sections"];
  if (isRecord(sections) && !(SECTION in sections)) {
    sections[SECTION] = rule;
    if (event.systemPrompt.includes(rule)) return undefined;
    delete sections[SECTION];
  }
  const prompt = event.systemPrompt;
  return { systemPrompt: replaced?.startsWith(prompt) && replaced.includes(rule) ? replaced : `${prompt}\n\n${rule}` };
}

/**
 * What the prompt of this run says of a tool that was registered over the host's own when the host had made it up
 * already. Later runs have it from the tool.
 */
export function giveGuidelines(event: PromptEvent, toolName: string, says: { promptSnippet: string; promptGuidelines: string[] }): void {
  const { toolSnippets, toolGuidelines } = isRecord(event.systemPromptOptions) ? event.systemPromptOptions : {};
  if (isRecord(toolSnippets) && toolName in toolSnippets) toolSnippets[toolName] = says.promptSnippet;
  if (isRecord(toolGuidelines) && toolName in toolGuidelines) toolGuidelines[toolName] = says.promptGuidelines;
}
