/**
 * Where the server's program is: the person's own setting, the variable EDIT_ASSIST_LS, PATH, `uvx`, in this order.
 * What lies in a workspace is never asked and never started: relative entries of PATH, and those inside a folder of the
 * workspace by its real path, are passed over, here and in the environment that the server gets.
 */

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

/** What the answer depends on. `setting`: `editAssist.server.path`; `folders`: the workspace's, as paths. */
export interface Surroundings {
  readonly setting: unknown;
  readonly env: NodeJS.ProcessEnv;
  readonly folders: readonly string[];
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** How to start the server, and by which of the four it was found. */
export interface Found {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly via: "setting" | "EDIT_ASSIST_LS" | "PATH" | "uvx";
}

/** There is none. `named`: what the setting or the variable names, which cannot be started; absent, nothing was found. */
export interface NotFound {
  readonly named?: { readonly via: "setting" | "EDIT_ASSIST_LS"; readonly what: string };
}

export const PROGRAM = "edit-assist-ls";
export const VARIABLE = "EDIT_ASSIST_LS";

/** Finds the server. Never throws. */
export function findServer(around: Surroundings): Found | NotFound {
  const env = cleanEnvironment(around);
  const path = env["PATH"] ?? "";
  const found = (via: Found["via"], command: string, args: readonly string[]): Found => {
    const all = args.includes("--stdio") ? args : [...args, "--stdio"];
    return { command, args: all, env, cwd: neutralFolder(around), via };
  };

  if (around.setting !== null && around.setting !== undefined && around.setting !== "") {
    const what = typeof around.setting === "string" ? around.setting : JSON.stringify(around.setting);
    const full = typeof around.setting === "string" ? expandTilde(around.setting, around.home) : "";
    return isAbsolute(full) && canRun(full) ? found("setting", full, []) : { named: { via: "setting", what } };
  }
  const named = around.env[VARIABLE]?.trim();
  if (named) {
    const whole = program(named, path, around);
    if (whole !== undefined) return found(VARIABLE, whole, []);
    const [name = "", ...args] = named.split(/\s+/);
    const command = program(name, path, around);
    return command === undefined ? { named: { via: VARIABLE, what: named } } : found(VARIABLE, command, args);
  }
  const own = program(PROGRAM, path, around);
  if (own !== undefined) return found("PATH", own, []);
  const uvx = program("uvx", path, around);
  return uvx === undefined ? {} : found("uvx", uvx, [PROGRAM]);
}

/** The environment without anything in it by which a workspace could bring a program or a module in. */
export function cleanEnvironment(around: Surroundings): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { ...around.env, PYTHONSAFEPATH: "1" };
  const isOutside = (path: string): boolean => isAbsolute(path) && !around.folders.some((folder) => isInside(path, folder));
  for (const name of ["PATH", "PYTHONPATH"]) {
    const entries = around.env[name]?.split(delimiter).filter(isOutside).join(delimiter);
    if (entries) clean[name] = entries;
    else delete clean[name];
  }
  for (const name of ["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONUSERBASE"]) {
    const folder = around.env[name];
    if (folder && !isOutside(folder)) delete clean[name];
  }
  return clean;
}

/** Whether a path lies in a folder, or is it, links followed on both sides. A drive's root is nobody's workspace. */
export function isInside(path: string, folder: string): boolean {
  const real = realPath(folder);
  if (real === parse(real).root) return false;
  const way = relative(real, realPath(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The full path of a program that is named by a full path, or by a bare name that is on `path`. */
function program(name: string, path: string, around: Surroundings): string | undefined {
  const full = expandTilde(name, around.home);
  if (isAbsolute(full)) return canRun(full) ? full : undefined;
  if (name.includes("/") || name.includes(sep)) return undefined;
  const suffixes = around.platform === "win32" ? [".exe", ""] : [""];
  const places = path.split(delimiter).filter(Boolean);
  return places.flatMap((folder) => suffixes.map((suffix) => join(folder, name + suffix))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The real path, also of what does not exist: that of the innermost folder above it that does, with the rest. */
function realPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync(full);
  } catch {
    const above = parse(full).dir;
    return above === full ? full : join(realPath(above), parse(full).base);
  }
}

/** Where the server starts: not in a folder of the workspace, as uv and Python read configuration from where they are. */
function neutralFolder(around: Surroundings): string {
  return around.platform === "win32" ? around.home : "/";
}

function expandTilde(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
