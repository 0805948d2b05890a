/**
 * Text that comes from models and file names, made safe to show: on one line, bounded, and without anything that VS
 * Code would make more of than text. Its labels draw `$(name)` as an icon, its notifications `[label](target)` as a
 * link, commands among them: a character of no width parts both.
 */

// What is invisible, moves the line, or turns the direction of writing: shown by its number instead.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const PARTING = "\u200b";

/** `text` on one line of at most `most` characters. */
export function plain(text: string, most: number): string {
  const characters = [...text.slice(0, most * 2 + 2)];
  const cut = characters.length > most ? [...characters.slice(0, most - 1), "…"] : characters;
  return cut
    .join("")
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll("$(", `$${PARTING}(`)
    .replaceAll("](", `]${PARTING}(`);
}
