/** A file's next content, written so that nothing of the file is lost but its old text. */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, chown, type FileHandle, lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { reasonOf } from "./protocol.ts";

/** What there is no room for beside a file there is none for in it either. */
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** Thrown where the file could neither be written nor be given back what stood in it. */
export class Damaged extends Error {}

/**
 * Writes a file through any links to it: beside the file and renamed, its mode kept; in place where it has other links
 * or another owner, or where that fails. `before` is what the file holds. Rejects where it may not or cannot be written:
 * the file is then as it was, save for Damaged.
 */
export async function writeKeeping(path: string, content: Uint8Array, before: Uint8Array): Promise<void> {
  const target = await realpath(path);
  await access(target, constants.W_OK); // A rename asks the folder alone.
  if (!(await replacedByRename(target, content))) await writeInPlace(target, content, before);
}

async function replacedByRename(target: string, content: Uint8Array): Promise<boolean> {
  const status = await lstat(target);
  const isOurs = process.getuid === undefined || status.uid === process.getuid();
  if (!status.isFile() || status.nlink > 1 || !isOurs) return false;
  const beside = join(dirname(target), `.${basename(target).slice(0, 50)}.${randomUUID()}`);
  try {
    const mode = status.mode & 0o7777;
    const file = await open(beside, "wx", mode & 0o700);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if ((await lstat(beside)).gid !== status.gid) await chown(beside, status.uid, status.gid);
    await chmod(beside, mode);
    await rename(beside, target);
    return true;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    if (NO_ROOM.has(codeOf(error))) throw error;
    return false;
  }
}

/** Over what the file holds, which is given back where that fails. */
async function writeInPlace(target: string, content: Uint8Array, before: Uint8Array): Promise<void> {
  const file = await open(target, "r+");
  try {
    await fill(file, content).catch(async (error: unknown) => {
      await fill(file, before).catch(() => {
        throw new Damaged(reasonOf(error));
      });
      throw error;
    });
  } finally {
    await file.close();
  }
}

async function fill(file: FileHandle, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; ) at += (await file.write(content, at, content.length - at, at)).bytesWritten;
  await file.truncate(content.length);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
