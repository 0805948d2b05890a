// Writes one file as the profile `strict` does: node writing_driver.mjs SOURCE_FOLDER UID FILE, the next content on
// standard input. UID is who writes; empty: who started this. Prints {} or {message, name}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , source, uid, file] = process.argv;
const { writeKeeping } = await import(pathToFileURL(join(source, "writing.ts")).href);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const before = await readFile(file);
if (uid) process.setuid(Number(uid));
let answer = {};
try {
  await writeKeeping(file, Buffer.concat(chunks), before);
} catch (error) {
  answer = { message: error.message, name: error.constructor.name };
}
process.stdout.write(JSON.stringify(answer));
