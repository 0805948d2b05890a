// Plays the tests in the real VS Code, says how many passed, and exits with 1 where one failed.

import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { playInHost } from "./host.mjs";
import { playInPage } from "./page.mjs";

const text = { type: "string" };
const { values } = parseArgs({ options: { cache: text, server: text, extension: text, out: text, pictures: text, only: text } });
const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const given = {
  cache: values.cache,
  server: values.server,
  extension: values.extension,
  here: import.meta.dirname,
  out,
  pictures: values.pictures && resolve(values.pictures),
  say: (line) => console.log(line),
};

const parts = { host: playInHost, page: playInPage };
const wanted = values.pictures ? ["page"] : values.only ? [values.only] : Object.keys(parts);
let passed = 0;
let failed = 0;
for (const name of wanted) {
  const began = Date.now();
  console.log(`== ${name}`);
  let results;
  try {
    results = await parts[name](given);
  } catch (error) {
    console.log(String(error.stack));
    results = [{ name: "it starts", error: String(error) }];
  }
  passed += results.filter(({ error }) => !error).length;
  failed += results.filter(({ error }) => error).length;
  console.log(`== ${name}: ${((Date.now() - began) / 1_000).toFixed(1)} s`);
}
if (failed > 0) console.log(`What tells why is in ${out}.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
