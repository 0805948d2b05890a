import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../src/plain.ts";

test("ordinary text stays as it is", () => {
  for (const text of ["edits[0] is not in load.go.", "naïve 😀 日本語", "$x (y) [z] (w)"]) assert.equal(plain(text, 100), text);
});

test("what cannot be seen is shown by its number", () => {
  assert.equal(plain("a\nb\u001b[31m\u202ec\u200b\ud800", 100), "a\\u{a}b\\u{1b}[31m\\u{202e}c\\u{200b}\\u{d800}");
});

test("neither an icon nor a link is left", () => {
  const shown = plain("$(flame) [all is well](command:workbench.action.closeWindow) $($(x", 200);
  assert.doesNotMatch(shown, /\$\(/);
  assert.doesNotMatch(shown, /\]\(/);
  assert.equal(shown.replaceAll("\u200b", ""), "$(flame) [all is well](command:workbench.action.closeWindow) $($(x");
});

test("the length is bounded, and no character is cut in two", () => {
  assert.equal(plain("abcdef", 6), "abcdef");
  assert.equal(plain("abcdefg", 6), "abcde…");
  assert.equal(plain("😀😀😀", 2), "😀…");
  assert.ok([...plain("x".repeat(1_000_000), 50)].length === 50);
});
