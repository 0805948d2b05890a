// The extension by VS Code's own API, beside an agent's server and another editor's. Each test has a file of its own.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAgent, startEditor } from "./agent.mjs";
import { EMOJI_PY, HOSTILE_NAME, LAMP_PY, LOAD_GO } from "./files.mjs";
import { until } from "./until.mjs";

const WRONG = "\tif err == nil {\n\t\treturn nil, err\n\t}";
const RIGHT = "\tif err != nil {\n\t\treturn nil, wrap(err)\n\t}";

/** Plays all tests, and writes one line of JSON for each. Throws where one failed, which ends VS Code with status 1. */
export async function play(vscode) {
  const { results, server, env, outside } = JSON.parse(process.env.EDIT_ASSIST_SUITE);
  const workspace = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const command = [server, "--stdio"];
  const agent = await startAgent({ command, env, cwd: workspace });
  const editor = await startEditor({ command, env, folder: workspace });
  const extension = vscode.extensions.getExtension("edit-assist.edit-assist");
  const servers = () => serversOf(server, new Set([agent.pid, editor.pid]));
  let failed = 0;

  const test = async (name, work) => {
    let error;
    try {
      await work();
    } catch (caught) {
      error = String(caught.stack);
      failed += 1;
    }
    appendFileSync(results, `${JSON.stringify({ name, error })}\n`);
    console.log(`${error ? "FAILED" : "ok"} ${name}${error ? `\n${error}` : ""}`);
  };

  const uriOf = (name) => vscode.Uri.file(join(workspace, name));
  const diskOf = (name) => readFileSync(join(workspace, name), "utf8");
  const shown = (name) => vscode.languages.getDiagnostics(uriOf(name)).filter(({ source }) => source === "edit-assist");
  const sees = (name, count) => until(`${name} has ${count} diagnostics`, () => shown(name).length === count && [shown(name)]).then(([found]) => found);
  const open = async (name) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(name)));
  const rowOf = (name, what = () => true) => until(`a row for ${name}`, () => extension.exports.rows().find((row) => row.label.startsWith(name) && what(row)));
  const fixes = (name, range, resolved = 20) => vscode.commands.executeCommand("vscode.executeCodeActionProvider", uriOf(name), range, "quickfix", resolved);
  const applyFix = async (name) => {
    const [diagnostic] = shown(name);
    const action = (await fixes(name, diagnostic.range)).find(({ title }) => title === "Apply the agent's edit here");
    assert.ok(action?.edit, "there is a quick fix with an edit");
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    await vscode.commands.executeCommand(action.command.command, ...action.command.arguments);
  };
  const saved = async (name) => {
    assert.ok(await vscode.workspace.save(uriOf(name)));
    return diskOf(name);
  };

  await test("the extension starts by itself, and its server with it", async () => {
    await until("it is active", () => extension.isActive);
    await until("the server runs", () => extension.exports.server() === "running");
    const commands = await vscode.commands.getCommands(true);
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(commands.includes(command), command);
    assert.deepEqual(extension.exports.rows(), []);
    assert.equal(extension.exports.status(), undefined);
  });

  await test("a failing call of an agent is a diagnostic, with the words that the agent got", async () => {
    await open("load.go");
    const told = await agent.edit("load.go", [WRONG, RIGHT]);
    const [diagnostic] = await sees("load.go", 1);
    assert.equal(diagnostic.code, "no-match");
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
    assert.deepEqual(diagnostic.range, new vscode.Range(10, 0, 12, 2));
    assert.ok(told.endsWith(diagnostic.message), told);
    assert.match(diagnostic.message, /Nearest region: lines 11-13/);
  });

  await test("the status bar counts it, the list has it", async () => {
    assert.equal(await until("the status bar", () => extension.exports.status()), "$(edit) 1 failing");
    const row = await rowOf("load.go");
    assert.deepEqual([row.label, row.state, row.context], ["load.go:11-13", "failed", "fits open"]);
    const item = extension.exports.item(row);
    assert.equal(item.iconPath.id, "warning");
    for (const text of [item.label, item.description, item.tooltip]) assert.equal(typeof text, "string");
    assert.match(item.description, /^edits\[0\] is not in load.go\. Nearest region/);
  });

  await test("the quick fix puts the edit in: one undo step, saved bytes as they must be", async () => {
    const { document } = await open("load.go");
    await applyFix("load.go");
    const wanted = LOAD_GO.replace("\t\treturn nil, err\n", "\t\treturn nil, wrap(err)\n");
    assert.equal(document.getText(), wanted);
    await sees("load.go", 0);
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), LOAD_GO);
    await vscode.commands.executeCommand("redo");
    assert.equal(await saved("load.go"), wanted);
    await rowOf("load.go", ({ state }) => state === "applied");
    await until("the status bar is empty", () => extension.exports.status() === undefined);
  });

  await test("after emoji the places are right, and so is what is saved", async () => {
    await open("emoji.py");
    await agent.edit("emoji.py", ['    """👋🏽 says it."""\n    return f"😀 {GREETING}, {nam} 🎉"', '    """👋🏽 says it."""\n    return f"🎈 {GREETING}, {name} 🎉"']);
    const [diagnostic] = await sees("emoji.py", 1);
    const lines = EMOJI_PY.split("\n");
    assert.deepEqual(diagnostic.range, new vscode.Range(4, 0, 5, lines[5].length));
    await applyFix("emoji.py");
    assert.equal(await saved("emoji.py"), EMOJI_PY.replace('f"😀', 'f"🎈'));
  });

  await test("a file with CRLF keeps it, also in the lines that are put in", async () => {
    await open("crlf.txt");
    await agent.edit("crlf.txt", ["second line\nthird lime", "second line\nand a half 😀\nthird line"]);
    const [diagnostic] = await sees("crlf.txt", 1);
    assert.deepEqual(diagnostic.range, new vscode.Range(1, 0, 2, 10));
    await applyFix("crlf.txt");
    assert.equal(await saved("crlf.txt"), "first 😀\r\nsecond line\r\nand a half 😀\r\nthird line\r\nfourth\r\n");
  });

  await test("nothing opens by itself, and the focus stays where it is", async () => {
    const before = (await open("load.go")).document.uri.toString();
    await agent.edit("closed.py", ["        self.on = not self.lit\n        return self.lit", "        return self.toggle()"]);
    await sees("closed.py", 1);
    await rowOf("closed.py");
    assert.equal(vscode.window.activeTextEditor.document.uri.toString(), before);
    assert.ok(!vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => label.includes("closed.py")));
  });

  await test("a click on a call goes there", async () => {
    const { command } = extension.exports.item(await rowOf("closed.py"));
    await vscode.commands.executeCommand(command.command, ...command.arguments);
    const { document, selection } = vscode.window.activeTextEditor;
    assert.equal(document.uri.toString(), uriOf("closed.py").toString());
    assert.deepEqual(selection.active, new vscode.Position(5, 0));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  await test("the difference is the file against the file with the edit", async () => {
    await vscode.commands.executeCommand("editAssist.showDifference", await rowOf("closed.py"));
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.toString(), uriOf("closed.py").toString());
    assert.equal(label, "closed.py ↔ with the agent's edit");
    const after = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(after.getText(), LAMP_PY.replace("        self.on = not self.on\n        return self.on\n", "        return self.toggle()\n"));
    assert.equal(after.languageId, "python");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  await test("the quick fix Show the difference opens the same", async () => {
    const [diagnostic] = shown("closed.py");
    const action = (await fixes("closed.py", diagnostic.range, 0)).find(({ title }) => title === "Show the difference");
    assert.equal(action.command.command, "editAssist.showDifference");
    await vscode.commands.executeCommand(action.command.command, ...action.command.arguments);
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(label, "closed.py ↔ with edits[0]");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  await test("apply in the list changes a closed file's buffer, not its bytes", async () => {
    await vscode.commands.executeCommand("editAssist.applyCall", await rowOf("closed.py"));
    assert.equal(diskOf("closed.py"), LAMP_PY);
    const document = await vscode.workspace.openTextDocument(uriOf("closed.py"));
    assert.ok(document.isDirty);
    assert.equal(await saved("closed.py"), LAMP_PY.replace("        self.on = not self.on\n        return self.on\n", "        return self.toggle()\n"));
    await rowOf("closed.py", ({ state }) => state === "applied");
    await sees("closed.py", 0);
  });

  await test("what no longer fits is not put in", async () => {
    const { document } = await open("lamp.py");
    await agent.edit("lamp.py", ["    def press(self):\n        self.on = self.off", "    def press(self):\n        pass"]);
    const [{ data }] = await sees("lamp.py", 1);
    const row = await rowOf("lamp.py", ({ call }) => call.id === data.id);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uriOf("lamp.py"), new vscode.Range(4, 0, 7, 0), "    # nothing of it is left\n");
    await vscode.workspace.applyEdit(edit);
    await sees("lamp.py", 0);
    const text = document.getText();
    await vscode.commands.executeCommand("editAssist.applyCall", row);
    assert.equal(document.getText(), text);
    assert.equal((await rowOf("lamp.py", ({ call }) => call.id === data.id)).state, "failed");
    await saved("lamp.py");
  });

  await test("the edits of a call are applied one by one, and it is asked where one shall go", async () => {
    await open("several.py");
    await agent.edit("several.py", ["        self.on = Fallacy", "        self.on = True"], ["self.on = not self.of", "self.on = not self.on  # toggles"]);
    await sees("several.py", 2);
    const row = await rowOf("several.py");
    assert.deepEqual(row.children.map(({ label, state }) => [label, state]), [["edits[0]", "failed"], ["edits[1]", "failed"]]);
    await vscode.commands.executeCommand("editAssist.applyCall", row.children[1]);
    await sees("several.py", 1);
    await rowOf("several.py", ({ children }) => children[1].state === "applied" && children[0].state === "failed");
    assert.match(await saved("several.py"), /self\.on = not self\.on {2}# toggles/);

    const { document } = await open("twice.py");
    await agent.edit("twice.py", ["    total = count()", "    total = count(2)"]);
    await sees("twice.py", 1);
    let isDone = false;
    const applied = Promise.resolve(vscode.commands.executeCommand("editAssist.applyCall", await rowOf("twice.py"))).then(() => (isDone = true));
    await until("a place is chosen", async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return isDone;
    });
    await applied;
    assert.equal(document.getText().split("count(2)").length - 1, 1);
    await sees("twice.py", 0);
    await saved("twice.py");
  });

  await test("what is dismissed here is gone in the other editor", async () => {
    await agent.edit("lamp.py", ["        self.on = Falsy", "        self.on = True"]);
    const [{ data }] = await sees("lamp.py", 1);
    await until("the other editor shows it", () => editor.shown("lamp.py").length === 1);
    const row = await rowOf("lamp.py", ({ call }) => call.id === data.id);
    await vscode.commands.executeCommand("editAssist.dismissCall", row);
    await sees("lamp.py", 0);
    await until("it is gone there", () => editor.shown("lamp.py").length === 0);
    const there = (await editor.calls()).find(({ id }) => id === row.call.id);
    assert.equal(there.state, "dismissed");
  });

  await test("what is dismissed in the other editor is gone here", async () => {
    await agent.edit("lamp.py", ["        self.on = Falsehood", "        self.on = True"]);
    const [{ data }] = await sees("lamp.py", 1);
    await editor.execute("editAssist.dismiss", data.id);
    await sees("lamp.py", 0);
    await rowOf("lamp.py", ({ call, state }) => call.id === data.id && state === "dismissed");
  });

  await test("a file name is text, whatever stands in it", async () => {
    await agent.edit(HOSTILE_NAME, ["        self.on = Falsy", "        self.on = True"]);
    await sees(HOSTILE_NAME, 1);
    const row = await until("its row", () => extension.exports.rows().find(({ call }) => call.uri.includes("flame")));
    const item = extension.exports.item(row);
    for (const text of [item.label, item.tooltip]) assert.doesNotMatch(text, /\]\(|\$\(/);
    await vscode.commands.executeCommand("editAssist.dismissCall", row);
    await sees(HOSTILE_NAME, 0);
  });

  await test("a call on a file outside the workspace is not listed, nor is the file opened", async () => {
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "elsewhere.py"), LAMP_PY);
    await agent.edit(join(outside, "elsewhere.py"), ["        self.on = Falsy", "        self.on = True"]);
    await agent.edit("lamp.py", ["        self.on = Fallacy", "        self.on = True"]);
    await sees("lamp.py", 1);
    assert.ok(!extension.exports.rows().some(({ label }) => label.startsWith("elsewhere.py")));
    assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.path.endsWith("elsewhere.py")));
  });

  await test("a server that is killed comes back, with what it showed", async () => {
    const before = servers();
    assert.equal(before.length, 1);
    process.kill(before[0], "SIGKILL");
    const [pid] = await until("another server", () => servers().filter((one) => one !== before[0]).length === 1 && servers());
    assert.notEqual(pid, before[0]);
    await until("it runs", () => extension.exports.server() === "running");
    await sees("lamp.py", 1);
    await rowOf("lamp.py", ({ state }) => state === "failed");
    await agent.edit("lamp.py", ["        self.on = Phallacy", "        self.on = True"]);
    await sees("lamp.py", 2);
  });

  await test("it is restarted by a command", async () => {
    const [before] = servers();
    await vscode.commands.executeCommand("editAssist.restart");
    await until("another server", () => servers().length === 1 && servers()[0] !== before);
    await sees("lamp.py", 2);
  });

  await test("settings reach the server: off, nothing is shown; unset, all is back", async () => {
    const settings = vscode.workspace.getConfiguration("editAssist");
    for (const [key, value] of [["enabled", false], ["ledger", "off"]]) {
      await settings.update(key, value, vscode.ConfigurationTarget.Global);
      await sees("lamp.py", 0);
      await until("the list is empty", () => extension.exports.rows().length === 0);
      await settings.update(key, undefined, vscode.ConfigurationTarget.Global);
      await sees("lamp.py", 2);
      await rowOf("lamp.py");
    }
  });

  await test("the end of a session clears its diagnostics; its calls stay listed", async () => {
    await agent.end();
    await sees("lamp.py", 0);
    await rowOf("lamp.py", ({ state }) => state === "failed");
    await until("the status bar is empty", () => extension.exports.status() === undefined);
  });

  await test("a server that cannot be found is no end: the view says so, and the setting brings it back", async () => {
    const settings = vscode.workspace.getConfiguration("editAssist");
    const wrong = "/nowhere/edit-assist-ls";
    await settings.update("server.path", wrong, vscode.ConfigurationTarget.Global);
    await until("it is stopped", () => extension.exports.server() === "stopped" && servers().length === 0);
    assert.deepEqual(extension.exports.rows(), []);
    await settings.update("server.path", server, vscode.ConfigurationTarget.Global);
    await until("it runs", () => extension.exports.server() === "running");
    await rowOf("lamp.py");
  });

  editor.kill();
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** The extension's server: children of this extension host that run its program, but for `ours`. */
function serversOf(program, ours) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return parent === process.pid && words.includes(program) && !ours.has(Number(pid));
      } catch {
        return false;
      }
    })
    .map(Number);
}
