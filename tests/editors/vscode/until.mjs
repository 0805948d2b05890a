// Waiting for what another process brings about.

import { setTimeout as pause } from "node:timers/promises";

/** What `look` gives once that is something; fails after `seconds` with what it gave last. */
export async function until(what, look, seconds = 20) {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it never came to that: ${what}`);
    await pause(40);
  }
}
