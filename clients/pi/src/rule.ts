/** The prompt rule, put into the prompt once by the cheapest means that the host offers. */

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
