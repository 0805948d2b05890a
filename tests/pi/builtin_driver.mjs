// Plays edit calls through pi's own shipped edit tool, without any file: JSON lines in, JSON lines out.
// node builtin_driver.mjs PI_PACKAGE_FOLDER
// in:  {file: base64, path, edits: [{oldText, newText}]}
// out: {file: base64, details} what the tool would write and say of it, or {message} what it throws
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const { createEditTool } = await import(pathToFileURL(join(process.argv[2], "dist", "index.js")).href);

let bytes;
let written;
const tool = createEditTool("/nowhere", {
  operations: {
    access: async () => {},
    readFile: async () => bytes,
    writeFile: async (_path, content) => {
      written = Buffer.from(content, "utf8");
    },
  },
});

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { file, path, edits } = JSON.parse(line);
  bytes = Buffer.from(file, "base64");
  written = undefined;
  let answer;
  try {
    const { details } = await tool.execute("call", { path, edits });
    answer = { file: written.toString("base64"), details };
  } catch (error) {
    answer = { message: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
