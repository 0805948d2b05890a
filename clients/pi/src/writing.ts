/** A file's next content, written so that nothing of the file is lost but its old text. */

import { randomUUID } from "node:crypto";
import { chmod, chown, lstat, open, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file through any links to it: beside the file and renamed, its mode kept; in place where it has other links
 * or another owner, or where that fails.
 */
export async function writeKeeping(path: string, content: Uint8Array): Promise<void> {
  const target = await realpath(path);
  if (!(await replacedByRename(target, content))) await writeFile(target, content);
}

async function replacedByRename(target: string, content: Uint8Array): Promise<boolean> {
  const status = await lstat(target);
  const isOurs = process.getuid === undefined || status.uid === process.getuid();
  if (!status.isFile() || status.nlink > 1 || !isOurs) return false;
  const beside = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}`);
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
  } catch {
    await rm(beside, { force: true }).catch(() => undefined);
    return false;
  }
}
