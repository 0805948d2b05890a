// Server processes of others beside the extension's: an agent host's, and another editor's. LSP over stdio.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";

/** A server process and the messages to and from it. `heard(method, params)` is told of its notifications. */
function connect({ command, env, cwd }, heard = () => {}) {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let lastId = 0;
  let buffer = Buffer.alloc(0);

  const take = (message) => {
    if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
    else if (message.method !== undefined) heard(message.method, message.params);
    else {
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  };
  child.stdout.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const head = buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const size = Number(/Content-Length: (\d+)/.exec(buffer.toString("latin1", 0, head))[1]);
      if (buffer.length < head + 4 + size) return;
      const body = buffer.toString("utf8", head + 4, head + 4 + size);
      buffer = buffer.subarray(head + 4 + size);
      take(JSON.parse(body));
    }
  });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server ended (${code ?? signal})`));
  });

  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });
  const notify = (method, params) => send({ method, params });
  const kill = () => child.kill("SIGKILL");
  return { ask, notify, kill, pid: child.pid, exited };
}

/** An agent in `cwd`, whose edit tool takes an oldText that is there to the letter and once. */
export async function startAgent({ command, env, cwd }) {
  const { ask, notify, kill, pid, exited } = connect({ command, env, cwd });
  const common = { host: "pi", sessionId: `session-${process.pid}-${Math.random()}`, cwd };
  let calls = 0;
  await ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  notify("initialized", {});
  await ask("editAssist/sessionStart", { ...common, processId: process.pid });
  return {
    /** Plays a call with the given [oldText, newText] pairs; what the model reads. */
    async edit(path, ...pairs) {
      const call = { ...common, toolCallId: `call-${++calls}`, toolName: "edit" };
      const edits = pairs.map(([oldText, newText]) => ({ oldText, newText }));
      const { input = { path, edits } } = await ask("editAssist/toolCall", { ...call, input: { path, edits } });
      const said = useTool(resolvePath(cwd, path), path, input.edits);
      const content = [{ type: "text", text: said.text }];
      const result = await ask("editAssist/toolResult", { ...call, input, content, isError: said.isError });
      return (result.content ?? content).map(({ text }) => text).join("\n\n");
    },
    async end() {
      await ask("editAssist/sessionShutdown", common);
      await ask("shutdown");
      notify("exit");
      await exited;
    },
    kill,
    pid,
  };
}

function useTool(file, path, edits) {
  let text = readFileSync(file, "utf8");
  const isCrlf = text.includes("\r\n");
  if (isCrlf) text = text.replaceAll("\r\n", "\n");
  for (const [index, { oldText, newText }] of edits.entries()) {
    const found = text.split(oldText).length - 1;
    const what = edits.length === 1 ? "the exact text" : `edits[${index}]`;
    if (found === 0) {
      return { isError: true, text: `Could not find ${what} in ${path}. The ${edits.length === 1 ? "old text" : "oldText"} must match exactly including all whitespace and newlines.` };
    }
    if (found > 1) {
      const which = edits.length === 1 ? "the text" : `edits[${index}]`;
      const must = edits.length === 1 ? "The text must be unique. Please provide more context to make it unique." : "Each oldText must be unique. Please provide more context to make it unique.";
      return { isError: true, text: `Found ${found} occurrences of ${which} in ${path}. ${must}` };
    }
    text = text.replace(oldText, () => newText);
  }
  writeFileSync(file, isCrlf ? text.replaceAll("\n", "\r\n") : text);
  return { isError: false, text: `Successfully replaced ${edits.length} block(s) in ${path}.` };
}

/** Another editor with `folder` open: its own server, and what that published last of each file. */
export async function startEditor({ command, env, folder }) {
  const published = new Map();
  const { ask, notify, kill, pid } = connect({ command, env, cwd: folder }, (method, params) => {
    if (method === "textDocument/publishDiagnostics") published.set(params.uri, params.diagnostics);
  });
  const uri = pathToFileURL(folder).href;
  await ask("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: "folder" }],
    capabilities: { textDocument: { publishDiagnostics: {} } },
  });
  notify("initialized", {});
  return {
    shown: (name) => published.get(`${uri}/${encodeURIComponent(name)}`) ?? [],
    calls: async () => (await ask("editAssist/calls", {})).calls,
    execute: (name, ...given) => ask("workspace/executeCommand", { command: name, arguments: given }),
    kill,
    pid,
  };
}
