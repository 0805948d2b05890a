// Plays suite.mjs in the real extension host: the workbench takes the extension and the suite from the page's address.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./files.mjs";
import { address, keepLogs, makeLab, remote, removeLab, startChromium, startCode, stopCode } from "./lab.mjs";

const SECONDS = 240;

/** Gives the names of the tests that passed and failed; `say` is told of each as it ends. */
export async function playInHost({ cache, server, extension, here, out, say }) {
  const lab = makeLab(cache, server);
  writeFiles(lab.workspace);
  const results = join(lab.root, "results.jsonl");
  const given = { results, server, env: lab.env, outside: join(lab.root, "outside") };
  let code, browser;
  let seen = [];
  try {
    // Without this option a VS Code that was built for use does not look for a suite.
    code = await startCode(lab, { options: ["--vscode-option", "enable-smoke-test-driver"], variables: { EDIT_ASSIST_SUITE: JSON.stringify(given) } });
    browser = await startChromium(lab);
    const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 } })).newPage();
    const ended = new Promise((resolve) => page.exposeFunction("codeAutomationExit", resolve));
    await page.exposeFunction("codeAutomationLog", (_kind, [line]) => {
      if (/^(ok|FAILED) /.test(String(line))) say(line);
    });
    const payload = [
      ["extensionDevelopmentPath", remote(code, extension)],
      ["extensionTestsPath", remote(code, join(here, "suite.cjs"))],
    ];
    await page.goto(address(lab, code, payload));
    let timer;
    const status = await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, SECONDS * 1_000, "too late")))]);
    clearTimeout(timer);
    seen = existsSync(results) ? readFileSync(results, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)) : [];
    const isWhole = status === 0 || seen.some(({ error }) => error);
    if (!isWhole) {
      await page.screenshot({ path: join(out, "host-failed.png") });
      seen.push({ name: "the suite comes to its end", error: `status ${status}` });
    }
    if (seen.some(({ error }) => error)) keepLogs(lab, join(out, "host-logs"));
  } finally {
    await browser?.close().catch(() => {});
    if (code) await stopCode(code);
    removeLab(lab);
  }
  return seen;
}
