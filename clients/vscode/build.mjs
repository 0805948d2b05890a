// Bundles the extension into dist/extension.cjs; beside it the licenses of what went in, and the README without its
// pictures, which lie elsewhere in the checkout.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.cjs",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
});

// The innermost package that a bundled file belongs to, such as node_modules/a/node_modules/b.
const packages = new Set();
for (const file of Object.keys(metafile.inputs)) {
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
  if (found) packages.add(found[0]);
}

const parts = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} holds no license`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("dist/third-party-licenses.txt", parts.join(`\n${"-".repeat(80)}\n\n`));

const readme = readFileSync("README.md", "utf8");
writeFileSync("dist/README.md", readme.replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, ""));
