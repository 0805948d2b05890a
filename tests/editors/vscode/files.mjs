// The files of the tests' workspace: ordinary ones, and those that positions and bytes go wrong in.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const LOAD_GO = `package store

import (
	"io"
	"os"
)

// load reads a whole file.
func load(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
`;

export const LAMP_PY = `class Lamp:
    def __init__(self):
        self.on = False

    def press(self):
        self.on = not self.on
        return self.on
`;

export const EMOJI_PY = `GREETING = "😀 héllo 👩‍👩‍👧"  # 𝒻irst


def greet(name):
    """👋🏽 says it."""
    return f"😀 {GREETING}, {name} 🎉"
`;

export const CRLF_TXT = "first 😀\r\nsecond line\r\nthird line\r\nfourth\r\n";

export const TWICE_PY = `def first():
    total = count()
    return total


def second():
    total = count()
    return total
`;

/** A file name that says more to VS Code than its letters. */
export const HOSTILE_NAME = "[all is well](command:editAssist.showCalls) $(flame).py";

const FILES = {
  "load.go": LOAD_GO,
  "lamp.py": LAMP_PY,
  "emoji.py": EMOJI_PY,
  "crlf.txt": CRLF_TXT,
  "twice.py": TWICE_PY,
  "several.py": LAMP_PY,
  "closed.py": LAMP_PY,
  [HOSTILE_NAME]: LAMP_PY,
};

/** Writes them, or those that are named, into a folder. */
export function writeFiles(folder, names = Object.keys(FILES)) {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), FILES[name]);
  }
}
