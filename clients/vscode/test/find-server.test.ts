import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { cleanEnvironment, findServer, isInside } from "../src/find-server.ts";
import type { Found, NotFound, Surroundings } from "../src/find-server.ts";

let root: string;
let workspace: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "find-server-"));
  workspace = join(root, "workspace");
  mkdirSync(workspace);
});

afterEach(() => rmSync(root, { recursive: true }));

function programIn(folder: string, name = "edit-assist-ls", mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

function find(given: Partial<Surroundings>): Found | NotFound {
  return findServer({ setting: null, env: {}, folders: [workspace], home: root, platform: "linux", ...given });
}

function command(given: Partial<Surroundings>): string[] | undefined {
  const found = find(given);
  return "command" in found ? [found.via, found.command, ...found.args] : undefined;
}

test("the setting comes first, then the variable, PATH, uvx", () => {
  const [own, varied, onPath] = ["own", "varied", "on path"].map((name) => programIn(join(root, name)));
  const uvx = programIn(join(root, "uv"), "uvx");
  const path = [join(root, "uv"), join(root, "on path")].join(delimiter);
  assert.deepEqual(command({ setting: own, env: { EDIT_ASSIST_LS: varied, PATH: path } }), ["setting", own, "--stdio"]);
  assert.deepEqual(command({ env: { EDIT_ASSIST_LS: varied, PATH: path } }), ["EDIT_ASSIST_LS", varied, "--stdio"]);
  assert.deepEqual(command({ env: { PATH: path } }), ["PATH", onPath, "--stdio"]);
  assert.deepEqual(command({ env: { PATH: join(root, "uv") } }), ["uvx", uvx, "edit-assist-ls", "--stdio"]);
  assert.deepEqual(find({ env: { PATH: root } }), {});
});

test("a home folder in the setting is expanded", () => {
  const own = programIn(join(root, "bin"));
  assert.deepEqual(command({ setting: "~/bin/edit-assist-ls" }), ["setting", own, "--stdio"]);
});

for (const setting of ["edit-assist-ls", "bin/edit-assist-ls", "/nowhere/edit-assist-ls", 7]) {
  test(`the setting ${setting} is refused, and nothing else is tried`, () => {
    programIn(join(root, "bin"));
    const what = String(setting);
    assert.deepEqual(find({ setting, env: { PATH: join(root, "bin") } }), { named: { via: "setting", what } });
  });
}

test("a file that cannot be run is passed over", () => {
  programIn(join(root, "first"), "edit-assist-ls", 0o644);
  mkdirSync(join(root, "second", "edit-assist-ls"), { recursive: true });
  const third = programIn(join(root, "third"));
  const path = ["first", "second", "third"].map((name) => join(root, name)).join(delimiter);
  assert.deepEqual(command({ env: { PATH: path } }), ["PATH", third, "--stdio"]);
});

test("the variable may hold arguments, a name on PATH, or a path with blanks", () => {
  const own = programIn(join(root, "a folder"));
  const env = { PATH: join(root, "a folder") };
  assert.deepEqual(command({ env: { ...env, EDIT_ASSIST_LS: " edit-assist-ls --log-level debug " } })?.slice(1), [own, "--log-level", "debug", "--stdio"]);
  assert.deepEqual(command({ env: { ...env, EDIT_ASSIST_LS: own } })?.slice(1), [own, "--stdio"]);
  assert.deepEqual(command({ env: { ...env, EDIT_ASSIST_LS: "edit-assist-ls --stdio" } })?.slice(1), [own, "--stdio"]);
  assert.deepEqual(find({ env: { ...env, EDIT_ASSIST_LS: "./edit-assist-ls" } }), { named: { via: "EDIT_ASSIST_LS", what: "./edit-assist-ls" } });
});

test("relative entries of PATH, and those inside the workspace by real path, are skipped", () => {
  programIn(join(workspace, "bin"));
  programIn(workspace);
  symlinkSync(join(workspace, "bin"), join(root, "a link"));
  symlinkSync(workspace, join(root, "the workspace"));
  const skipped = [".", "", "bin", workspace, join(workspace, "bin"), join(root, "a link"), join(root, "the workspace", "bin")];
  assert.deepEqual(find({ env: { PATH: skipped.join(delimiter) } }), {});
  const through = join(root, "the workspace");
  assert.deepEqual(find({ folders: [through], env: { PATH: join(workspace, "bin") } }), {});
  const outside = programIn(join(root, "workspace of mine"));
  const path = [...skipped, join(root, "workspace of mine")].join(delimiter);
  assert.deepEqual(command({ env: { PATH: path } }), ["PATH", outside, "--stdio"]);
});

test("every folder of the workspace counts, and none is no obstacle", () => {
  const own = programIn(join(root, "other", "bin"));
  const env = { PATH: join(root, "other", "bin") };
  assert.deepEqual(find({ folders: [workspace, join(root, "other")], env }), {});
  assert.deepEqual(command({ folders: [], env }), ["PATH", own, "--stdio"]);
});

test("the server's environment holds nothing of the workspace", () => {
  const env = {
    PATH: ["bin", join(workspace, "bin"), "/usr/bin"].join(delimiter),
    PYTHONPATH: workspace,
    VIRTUAL_ENV: join(workspace, ".venv"),
    CONDA_PREFIX: "/opt/conda",
    KEPT: "yes",
  };
  const clean = cleanEnvironment({ setting: null, env, folders: [workspace], home: root, platform: "linux" });
  assert.deepEqual(clean, { PATH: "/usr/bin", CONDA_PREFIX: "/opt/conda", KEPT: "yes", PYTHONSAFEPATH: "1" });
});

test("the server starts in a folder that is nobody's", () => {
  programIn(join(root, "bin"));
  const found = find({ env: { PATH: join(root, "bin") } });
  assert.equal("cwd" in found && found.cwd, "/");
});

test("what lies in a folder", () => {
  assert.ok(isInside(workspace, workspace));
  assert.ok(isInside(join(workspace, "not", "there"), workspace));
  assert.ok(isInside(join(workspace, "..name"), workspace));
  assert.ok(!isInside(join(root, "workspace2"), workspace));
  assert.ok(!isInside(join(workspace, "..", "x"), workspace));
  assert.ok(!isInside("/usr/bin", "/"));
});
