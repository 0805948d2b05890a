// The real VS Code (code-server) and Chromium, in a home of their own, with a workspace and a state folder.

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const USER_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "workbench.layoutControl.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.occurrencesHighlight": "off",
  "breadcrumbs.enabled": false,
  "diffEditor.renderSideBySideInlineBreakpoint": 500,
  "window.commandCenter": false,
};

const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const running = new Set();
const folders = new Set();
// Their processes are groups of their own, which a signal to this one would leave behind.
for (const [signal, number] of [["SIGTERM", 15], ["SIGINT", 2], ["SIGHUP", 1]]) {
  process.on(signal, () => {
    for (const child of running) killGroup(child, "SIGKILL");
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    process.exit(128 + number);
  });
}

/** Folders of a test: `workspace`, `state`, `home` and VS Code's own. `server`: the path of the server's program. */
export function makeLab(cache, server, workspaceName = "workspace") {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "edit-assist-vscode-")));
  folders.add(root);
  const lab = {
    root,
    cache,
    server,
    workspace: join(root, workspaceName),
    home: join(root, "home"),
    user: join(root, "user"),
    extensions: join(root, "extensions"),
  };
  for (const folder of [lab.workspace, lab.home, lab.extensions, join(lab.user, "User"), join(lab.user, "Machine")]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(lab.user, "User", "settings.json"), JSON.stringify(USER_SETTINGS));
  // Settings of scope machine count from here alone: in the user's file they hold until that is read again.
  writeFileSync(join(lab.user, "Machine", "settings.json"), JSON.stringify({ "editAssist.server.path": server }));
  lab.env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: lab.home,
    XDG_CONFIG_HOME: join(lab.home, ".config"),
    XDG_DATA_HOME: join(lab.home, ".local", "share"),
    XDG_CACHE_HOME: join(lab.home, ".cache"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_RUNTIME_DIR: root,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
  lab.agentCommand = [server, "--stdio"];
  return lab;
}

export function removeLab({ root }) {
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  folders.delete(root);
}

/** Installs a .vsix as its user would. */
export async function install(lab, vsix) {
  const child = spawn(node(lab), [...codeServer(lab), "--install-extension", vsix], { env: lab.env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const code = await new Promise((resolve) => child.on("exit", resolve));
  if (code !== 0) throw new Error(`the extension could not be installed (${code}): ${output}`);
}

/** Starts VS Code; gives its address once it answers. `variables` are added to its environment. */
export async function startCode(lab, { options = [], variables = {} } = {}) {
  const port = await freePort();
  const args = [...codeServer(lab), "--bind-addr", `127.0.0.1:${port}`, "--ignore-last-opened", ...options];
  const child = spawn(node(lab), args, { env: { ...lab.env, ...variables }, stdio: "ignore", detached: true });
  running.add(child);
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false)) return { child, port };
    if (child.exitCode !== null) break;
    await pause(100);
  }
  throw new Error("code-server does not come up");
}

export async function stopCode({ child }) {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.on("exit", resolve));
    killGroup(child, "SIGTERM");
    await Promise.race([gone, pause(5_000)]);
  }
  killGroup(child, "SIGKILL");
  running.delete(child);
}

export async function startChromium(lab) {
  const { chromium } = createRequire(join(lab.cache, "playwright-core", "package.json"))("playwright-core");
  return chromium.launch({ executablePath: join(lab.cache, "chromium"), env: { ...process.env, ...lab.env }, args: CHROMIUM_ARGUMENTS });
}

/** The address at which the workspace is open; `payload` are pairs that the workbench understands. */
export function address(lab, { port }, payload) {
  const query = new URLSearchParams({ folder: lab.workspace, payload: JSON.stringify(payload) });
  return `http://127.0.0.1:${port}/?${query}`;
}

export function remote({ port }, path) {
  return `vscode-remote://127.0.0.1:${port}${path}`;
}

/** Keeps what tells why a test failed: VS Code's logs, among them the extension's own. */
export function keepLogs(lab, folder) {
  const logs = join(lab.user, "logs");
  if (existsSync(logs)) cpSync(logs, folder, { recursive: true, force: true });
}

function node(lab) {
  return join(lab.cache, "node", "bin", "node");
}

function codeServer(lab) {
  const entry = join(lab.cache, "code-server", "node_modules", "code-server", "out", "node", "entry.js");
  const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"];
  return [entry, ...quiet, "--user-data-dir", lab.user, "--extensions-dir", lab.extensions];
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone.
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
