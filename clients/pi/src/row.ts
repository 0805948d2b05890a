/**
 * The row of a corrected call in the terminal: pi shows the diff of a successful edit and not the text of its result,
 * so the honesty line is put below it.
 */

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { isRecord } from "./protocol.ts";
import { plainLines } from "./words.ts";

type Resolver = Parameters<ExtensionAPI["registerToolRenderer"]>[0];
type Renderers = NonNullable<ReturnType<Resolver>>;
type Component = ReturnType<NonNullable<Renderers["renderResult"]>>;
type TextClass = new (text: string, paddingX: number, paddingY: number) => Component;

const STOCK_SUCCESS = /^Successfully replaced \d+ block\(s\) in [^\n]*\.\n\n/;

/**
 * Draws edit rows as they were, with what was added to a success below. Answers what fetches the host's own drawing
 * parts, to be called in the terminal: rows are drawn with them from then on. A host without such renderers is left alone.
 */
export function drawAdditions(pi: Partial<Pick<ExtensionAPI, "registerToolRenderer">>): () => void {
  let Text: TextClass | undefined;
  const added = new WeakMap<Component, Component>();
  pi.registerToolRenderer?.((toolName, next) => {
    const stock = next();
    const drawStock = stock?.renderResult;
    if (toolName !== "edit" || !drawStock) return stock;
    return {
      ...stock,
      renderResult: (result, options, theme, context) => {
        const component = drawStock(result, options, theme, context);
        try {
          const note = context.isError ? "" : addition(result.content);
          if (note && Text && canHold(component) && !component.children.includes(added.get(component))) {
            const line = new Text(theme.fg("muted", note), context.outputPad, 1);
            component.addChild(line);
            added.set(component, line);
          }
        } catch {
          // The row stays as the host drew it.
        }
        return component;
      },
    };
  });
  return () => {
    // Not at the top of the module: an extension that fails to load stops pi.
    import("@earendil-works/pi-tui").then(
      (parts: { Text: unknown }) => {
        Text = parts.Text as TextClass;
      },
      () => {},
    );
  };
}

/** What edit-assist added to a success; nothing for any other result. */
function addition(content: readonly { type: string; text?: string }[]): string {
  const text = content.find(({ type }) => type === "text")?.text ?? "";
  const stock = STOCK_SUCCESS.exec(text);
  return stock ? plainLines(text.slice(stock[0].length)) : "";
}

function canHold(component: Component): component is Component & { children: unknown[]; addChild(child: Component): void } {
  const holder: unknown = component;
  return isRecord(holder) && Array.isArray(holder["children"]) && typeof holder["addChild"] === "function";
}
