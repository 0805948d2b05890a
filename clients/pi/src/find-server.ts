/**
 * Where the server's program is. In this order: the user's own (global) settings, `EDIT_ASSIST_LS`, PATH, `uvx`.
 * Nothing that a project holds is asked: its settings are not read, and relative entries of PATH and entries inside
 * the workspace are skipped.
 */

import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { isRecord } from "./protocol.ts";

/** How to start the server. `via` says by which of the four it was found. */
export interface Found {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  via: "settings" | "EDIT_ASSIST_LS" | "PATH" | "uvx";
}

/** Why there is none: `problem` names what the user set that cannot be run; absent, nothing was found. */
export interface NotFound {
  problem: string | undefined;
}

const PROGRAM = "edit-assist-ls";
const SETTING = "the setting edit-assist.server";

/** Finds the server for a session in `workspace` (an absolute folder). Never throws. */
export function findServer(workspace: string, env: NodeJS.ProcessEnv = process.env): Found | NotFound {
  const agentFolder = resolve(expandTilde(env["PI_CODING_AGENT_DIR"] || join(homedir(), ".pi", "agent")));
  const childEnv = cleanEnvironment(env, workspace, agentFolder);
  const cwd = neutralFolder();
  const search = childEnv["PATH"] ?? "";
  const words = (line: string): readonly string[] => (program(line, search) ? [line] : line.trim().split(/\s+/));
  const found = (via: Found["via"], line: readonly string[]): Found | NotFound => {
    const [name, ...args] = line as [string, ...string[]];
    const command = program(name, search);
    const what = via === "settings" ? SETTING : via;
    if (!command) return { problem: `${what} names ${name}, which cannot be started: give a full path, or a name on PATH` };
    return { command, args: argumentsFor(command, args), env: childEnv, cwd, via };
  };

  const configured = configuredServer(agentFolder);
  if (configured !== undefined) {
    if (!configured) return { problem: `${SETTING} is neither a command nor a list of its words` };
    return found("settings", typeof configured === "string" ? words(configured) : configured);
  }
  const named = env["EDIT_ASSIST_LS"]?.trim();
  if (named) return found("EDIT_ASSIST_LS", words(named));
  const onPath = program(PROGRAM, search);
  if (onPath) return { command: onPath, args: ["--stdio"], env: childEnv, cwd, via: "PATH" };
  const uvx = program("uvx", search);
  if (uvx) return { command: uvx, args: [PROGRAM, "--stdio"], env: childEnv, cwd, via: "uvx" };
  return { problem: undefined };
}

/** `edit-assist.server` of the global settings: a command line or its words; undefined where unset, null where unusable. */
function configuredServer(agentFolder: string): string | readonly string[] | null | undefined {
  let section: unknown;
  try {
    const settings: unknown = JSON.parse(readFileSync(join(agentFolder, "settings.json"), "utf8").replace(/^\uFEFF/, ""));
    section = isRecord(settings) ? settings["edit-assist"] : undefined;
  } catch {
    return undefined; // No file, or none that can be read: the server tells the user what is wrong with it.
  }
  const server = isRecord(section) ? section["server"] : undefined;
  if (server === undefined || server === null) return undefined;
  if (typeof server === "string" && server.trim()) return server;
  const isList = Array.isArray(server) && server.length > 0 && server.every((word) => typeof word === "string" && word);
  return isList ? (server as string[]) : null;
}

/** A Python is told to leave the current folder out of its module path (`-P`), and which module to run if it was not. */
function argumentsFor(command: string, args: readonly string[]): string[] {
  const isPython = /^(python|pypy)[\d.]*(\.exe)?$/i.test(basename(command));
  const all = !isPython ? [...args] : ["-P", ...(args.length > 0 ? args : ["-m", "edit_assist_ls"])];
  return all.includes("--stdio") ? all : [...all, "--stdio"];
}

/** The full path of a program named by a full path, or by a bare name that is on `search`. */
function program(name: string, search: string): string | undefined {
  const path = expandTilde(name);
  if (isAbsolute(path)) return canRun(path) ? path : undefined;
  if (path.includes("/") || path.includes(sep)) return undefined;
  const suffixes = process.platform === "win32" ? ["", ".exe"] : [""];
  const places = search.split(delimiter).filter(Boolean).flatMap((folder) => suffixes.map((suffix) => join(folder, path + suffix)));
  return places.find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The environment without any place in it from which the workspace could slip a program or a module in. */
function cleanEnvironment(env: NodeJS.ProcessEnv, workspace: string, agentFolder: string): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { ...env, PYTHONSAFEPATH: "1", PI_CODING_AGENT_DIR: agentFolder };
  const isOutside = (path: string): boolean => isAbsolute(path) && !isInside(path, workspace);
  for (const name of ["PATH", "PYTHONPATH"]) {
    const entries = env[name]?.split(delimiter).filter(isOutside).join(delimiter);
    if (entries) clean[name] = entries;
    else delete clean[name];
  }
  for (const name of ["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONUSERBASE"]) {
    const folder = env[name];
    if (folder && !isOutside(folder)) delete clean[name];
  }
  return clean;
}

/** Whether a path lies in a folder, links followed. Everything lies in a drive's root, which is nobody's workspace. */
function isInside(path: string, folder: string): boolean {
  const real = realPath(folder);
  if (real === parse(real).root) return false;
  const way = relative(real, realPath(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** A folder to start programs in where nobody leaves configuration for them, as uv reads from its own and those above. */
function neutralFolder(): string {
  return process.platform === "win32" ? homedir() : "/";
}

function expandTilde(path: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
