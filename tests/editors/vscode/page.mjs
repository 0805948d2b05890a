// One path through the page, as a person goes it: the .vsix installed, a call fails, it is seen, applied and saved.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAgent } from "./agent.mjs";
import { HOSTILE_NAME, LOAD_GO, writeFiles } from "./files.mjs";
import { address, install, keepLogs, makeLab, remote, removeLab, startChromium, startCode, stopCode } from "./lab.mjs";
import { until } from "./until.mjs";

const WRONG = "\tfile, err := os.Open(path)\n\tif err == nil {\n\t\treturn nil, err\n\t}";
const RIGHT = "\tfile, err := os.Open(path)\n\tif err != nil {\n\t\treturn nil, wrap(path, err)\n\t}";
const SAVED = LOAD_GO.replace("\t\treturn nil, err\n", "\t\treturn nil, wrap(path, err)\n");
const SIZE = { width: 1200, height: 700 };

/** Gives the names of the steps that passed and the one that failed. With `pictures`, a folder, it draws them there. */
export async function playInPage({ cache, server, extension, out, pictures, say }) {
  const lab = makeLab(cache, server, "store");
  writeFiles(lab.workspace, ["load.go", "lamp.py"]);
  const results = [];
  let code, browser, agent, page;
  const step = async (name, work) => {
    await work();
    results.push({ name });
    say(`ok ${name}`);
  };
  try {
    await install(lab, join(extension, "edit-assist.vsix"));
    code = await startCode(lab);
    browser = await startChromium(lab);
    page = await (await browser.newContext({ viewport: SIZE, deviceScaleFactor: pictures ? 1.5 : 1 })).newPage();
    const elsewhere = new Set();
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (/^(http|ws)/.test(protocol) && hostname !== "127.0.0.1") elsewhere.add(hostname);
    });
    const hands = handsOn(page);
    const picture = async (name, height = SIZE.height) => {
      if (!pictures) return;
      await page.setViewportSize({ ...SIZE, height });
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled" });
      await page.setViewportSize(SIZE);
      say(`drawn ${join(pictures, `${name}.png`)}`);
    };

    await page.goto(address(lab, code, [["openFile", remote(code, join(lab.workspace, "load.go"))]]));
    await page.locator(".editor-instance .view-lines").first().waitFor({ timeout: 60_000 });
    agent = await startAgent({ command: lab.agentCommand, env: lab.env, cwd: lab.workspace });

    await step("a failing call is told of, and nothing takes the focus", async () => {
      await hands.extensionRuns();
      await page.locator(".view-line", { hasText: "package store" }).click();
      await agent.edit("lamp.py", ["        self.on = False\n", "        self.on = False\n        self.presses = 0\n"]);
      await agent.edit("lamp.py", ["def press(self):\n    self.on = not self.on", "def press(self):\n    self.presses += 1\n    self.on = not self.on"]);
      await agent.edit("load.go", [WRONG, RIGHT]);
      const toast = page.locator(".notification-toast", { hasText: "The agent's edit failed: edits[0] is not in load.go." });
      await toast.waitFor();
      assert.match(await toast.innerText(), /load\.go:10-13/);
      assert.equal(await page.evaluate(() => document.activeElement.closest(".editor-instance") !== null), true);
      await hands.command("Notifications: Clear All Notifications");
    });

    await step("it is a squiggle, a row of Problems, a number in the status bar", async () => {
      await page.locator(".squiggly-warning").first().waitFor();
      await hands.command("Problems: Focus on Problems View");
      await page.locator(".markers-panel .monaco-list-row", { hasText: "edits[0] is not in load.go. Nearest region" }).first().waitFor();
      await page.locator(".statusbar-item", { hasText: "1 failing" }).waitFor();
    });

    await step("the quick fixes are offered in their order", async () => {
      await hands.quickFixes(13);
      const titles = await page.locator(".action-widget .monaco-list-row.action .title").allInnerTexts();
      assert.deepEqual(titles.slice(0, 3), ["Apply the agent's edit here", "Show the difference", "Dismiss"]);
      await picture("vscode-quick-fix");
      await page.keyboard.press("Escape");
      await hands.command("View: Toggle Panel Visibility");
    });

    await step("the status bar leads to the list: newest first, with states", async () => {
      await page.locator(".statusbar-item a", { hasText: "1 failing" }).click();
      await hands.rows(3);
      const labels = await page.locator(".customview-tree .monaco-list-row .label-name").allInnerTexts();
      assert.deepEqual(labels, ["load.go:10-13", "lamp.py:6-8", "lamp.py:3-4"]);
      for (const icon of ["warning", "wand", "check"]) await page.locator(`.customview-tree .codicon-${icon}`).first().waitFor();
    });

    await step("the difference is shown in the diff editor, from the row", async () => {
      const row = page.locator(".customview-tree .monaco-list-row", { hasText: "load.go" });
      await row.hover();
      await row.locator('.action-label[aria-label*="Show Difference"]').click();
      await page.locator(".tab", { hasText: "load.go ↔ with the agent's edit" }).waitFor();
      await page.locator(".monaco-diff-editor .modified .view-line", { hasText: "wrap(path, err)" }).first().waitFor();
      await page.locator(".monaco-diff-editor .original .view-line", { hasText: "return nil, err" }).first().waitFor();
      await row.hover();
      await picture("vscode-difference", 480);
    });

    await step("a click on the row goes there", async () => {
      await page.locator(".customview-tree .monaco-list-row", { hasText: "load.go" }).click();
      await page.locator(".tab.active", { hasText: /^load\.go$/ }).waitFor();
      await page.locator(".statusbar-item", { hasText: "Ln 10, Col 1" }).waitFor();
    });

    await step("a fix that fits no more is refused, and the call is not said to be applied", async () => {
      await hands.quickFixes(10);
      const file = join(lab.workspace, "load.go");
      writeFileSync(file, LOAD_GO.replace("\t\treturn nil, err\n", "\t\tlog.Print(err)\n\t\treturn nil, nil\n"));
      await page.locator(".view-line", { hasText: "log.Print" }).waitFor();
      const fix = page.locator(".action-widget .monaco-list-row", { hasText: "Apply the agent's edit here" });
      if (await fix.isVisible()) {
        await fix.click();
        await page.locator(".notification-toast", { hasText: "The agent's edit no longer fits" }).waitFor();
      } else say("   (the menu closed by itself)");
      assert.equal(await page.locator(".customview-tree .codicon-check-all").count(), 0);
      writeFileSync(file, LOAD_GO);
      await page.locator(".squiggly-warning").first().waitFor();
      await hands.command("Notifications: Clear All Notifications");
    });

    await step("the quick fix puts the edit in, and it is saved", async () => {
      await hands.quickFixes(10);
      await page.locator(".action-widget .monaco-list-row", { hasText: "Apply the agent's edit here" }).click();
      await page.locator(".view-line", { hasText: "wrap(path, err)" }).waitFor();
      await page.keyboard.press("Control+s");
      await until("it is saved", () => readFileSync(join(lab.workspace, "load.go"), "utf8") === SAVED);
      await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });
      await page.locator(".customview-tree .monaco-list-row .codicon-check-all").waitFor();
      await page.locator(".statusbar-item", { hasText: "failing" }).waitFor({ state: "detached" });
    });

    await step("what models and file names say is text: no link, no icon, no command", async () => {
      writeFiles(lab.workspace, [HOSTILE_NAME]);
      await agent.edit(HOSTILE_NAME, ["        self.on = Falsy", "        self.on = True"]);
      const toast = page.locator(".notification-toast", { hasText: "The agent's edit failed" });
      await toast.waitFor();
      const letters = (text) => text.replaceAll("\u200b", "");
      assert.ok(letters(await toast.innerText()).includes("[all is well](command:editAssist.showCalls) $(flame).py:"), await toast.innerText());
      assert.equal(await toast.locator(".notification-list-item-message a").count(), 0);
      await hands.rows(4);
      const row = page.locator(".customview-tree .monaco-list-row").first();
      assert.ok(letters(await row.innerText()).includes("$(flame).py:"));
      assert.equal(await row.locator(".codicon-flame").count(), 0);
    });

    await step("Dismiss in the notification takes it away", async () => {
      await page.locator(".notification-toast .monaco-button", { hasText: "Dismiss" }).click();
      await page.locator(".customview-tree .codicon-circle-slash").waitFor();
      await page.locator(".statusbar-item", { hasText: "failing" }).waitFor({ state: "detached" });
    });

    await step("the keyboard alone does: palette, choice, list", async () => {
      await agent.edit("lamp.py", ["        return self.lit", "        return bool(self.on)"]);
      await agent.edit("lamp.py", ["        self.on = Falsehood", "        self.on = True"]);
      await page.locator(".statusbar-item", { hasText: "2 failing" }).waitFor();
      await hands.command("Edit Assist: Apply Agent's Edit");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "lamp.py" }).nth(1).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.locator(".view-line", { hasText: "return bool(self.on)" }).waitFor();
      await page.locator(".statusbar-item", { hasText: "1 failing" }).waitFor();
      await hands.command("Edit Assist: Show Agent Edits");
      await page.waitForFunction(() => document.activeElement.closest(".customview-tree") !== null);
      await hands.command("Edit Assist: Dismiss");
      await page.locator(".statusbar-item", { hasText: "failing" }).waitFor({ state: "detached" });
    });

    await step("no notification where the setting says so", async () => {
      await hands.command("Notifications: Clear All Notifications");
      changeSettings(join(lab.workspace, ".vscode"), { "editAssist.notifications": false });
      await until("the setting is read", async () => {
        await agent.edit("lamp.py", ["        self.on = Falsehood", "        self.on = True"]);
        await page.locator(".statusbar-item", { hasText: "failing" }).waitFor();
        const told = await page.locator(".notification-toast").count();
        await hands.command("Notifications: Clear All Notifications");
        await hands.command("Edit Assist: Dismiss");
        await page.locator(".statusbar-item", { hasText: "failing" }).waitFor({ state: "detached" });
        return told === 0;
      });
      changeSettings(join(lab.workspace, ".vscode"), { "editAssist.notifications": true });
    });

    await step("what failed before the start is listed, not told of", async () => {
      await agent.edit("lamp.py", ["        self.on = Phallacy", "        self.on = True"]);
      await page.locator(".statusbar-item", { hasText: "1 failing" }).waitFor();
      await page.reload();
      await page.locator(".statusbar-item", { hasText: "1 failing" }).waitFor({ timeout: 60_000 });
      await page.locator(".customview-tree .monaco-list-row .codicon-warning").first().waitFor();
      assert.equal(await page.locator(".notification-toast").count(), 0);
    });

    await step("a server that is not there is told, with a way to the instructions", async () => {
      changeSettings(join(lab.user, "Machine"), { "editAssist.server.path": "/nowhere/edit-assist-ls" });
      await page.reload();
      const toast = page.locator(".notification-toast", { hasText: "The setting editAssist.server.path is /nowhere/edit-assist-ls" });
      await toast.waitFor({ timeout: 60_000 });
      await page.locator(".welcome-view-content", { hasText: "The server edit-assist-ls does not run." }).waitFor();
      await toast.locator(".monaco-button", { hasText: "Show Install Instructions" }).click();
      await page.locator(".tab", { hasText: "INSTALL.md" }).waitFor();
    });

    await step("the page asks for nothing but this machine", async () => assert.deepEqual([...elsewhere], []));
  } catch (error) {
    say(`FAILED ${error.stack}`);
    results.push({ name: "the path goes on", error: String(error) });
    await page?.screenshot({ path: join(out, "page-failed.png") }).catch(() => {});
    keepLogs(lab, join(out, "page-logs"));
  } finally {
    agent?.kill();
    await browser?.close().catch(() => {});
    if (code) await stopCode(code);
    removeLab(lab);
  }
  return results;
}

/** Writes the settings of a folder anew, as a person would who edits their file. */
function changeSettings(folder, settings) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
}

/** What a person's hands do, with the patience that the page asks for. */
function handsOn(page) {
  // The palette is taken from a person's hands where another list is just closing: then it is asked for again.
  const command = async (title) => {
    const box = page.locator('.quick-input-widget input[type="text"]');
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    for (let attempt = 1; ; attempt++) {
      await page.keyboard.press("F1");
      try {
        await box.fill(`>${title}`, { timeout: 3_000 });
        await row.waitFor({ timeout: 3_000 });
        break;
      } catch (error) {
        if (attempt === 5) throw error;
        await page.keyboard.press("Escape");
      }
    }
    await page.keyboard.press("Enter");
    await row.waitFor({ state: "hidden" });
  };

  return {
    command,
    /** Its view is there and says that no agent has edited anything: the server runs. */
    async extensionRuns() {
      const container = page.locator('.activitybar .action-label[aria-label^="Edit Assist"]');
      await container.click();
      await page.locator(".welcome-view-content", { hasText: "No coding agent has edited a file" }).waitFor({ timeout: 60_000 });
      await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
    },
    async rows(count) {
      await page.waitForFunction((wanted) => document.querySelectorAll(".customview-tree .monaco-list-row").length === wanted, count);
    },
    /** Opens the quick fixes at a line (from 1). A press is lost now and then, where a marker comes while they are fetched. */
    async quickFixes(line) {
      const menu = page.locator(".action-widget .monaco-list-row", { hasText: "Apply the agent's edit here" });
      for (let attempt = 1; ; attempt++) {
        await page.keyboard.press("Control+1");
        await page.keyboard.press("Control+g");
        await page.locator('.quick-input-widget input[type="text"]').fill(`:${line}:2`);
        await page.keyboard.press("Enter");
        await page.locator('[class*="lightbulb"], [class*="light-bulb"]').locator("visible=true").first().waitFor({ timeout: 3_000 }).catch(() => {});
        await page.keyboard.press("Control+.");
        if (await menu.waitFor({ timeout: 3_000 }).then(() => true, () => false)) return;
        if (attempt === 5) throw new Error("the quick fixes do not open");
        await page.keyboard.press("Escape");
      }
    },
  };
}
