/** LSP's framing: a `Content-Length` header, then so many bytes of JSON. */

const MAX_HEADER_BYTES = 8_192;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const HEADER_END = "\r\n\r\n";
const NAME_START = "content-";

/** One message as the bytes that go over the wire. Lone surrogates survive as escapes. */
export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${HEADER_END}`, "ascii"), body]);
}

/**
 * A reader to be fed with chunks as they come. It hands each body, parsed, to `onBody`; on the first thing that is
 * not LSP it says so to `onNonsense`, once, and reads no further.
 */
export function frameReader(onBody: (body: unknown) => void, onNonsense: (what: string) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = -1;
  let broken = false;

  const take = (count: number): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
    chunks = count < all.length ? [all.subarray(count)] : [];
    size = all.length - count;
    return all.subarray(0, count);
  };
  const nonsense = (what: string): void => {
    broken = true;
    chunks = [];
    onNonsense(what);
  };
  const readHeader = (): boolean => {
    const held = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
    chunks = [held];
    const end = held.indexOf(HEADER_END);
    if (end < 0) {
      // A server that prints in place of speaking is caught by its first letters.
      const start = held.toString("latin1", 0, NAME_START.length).toLowerCase();
      if (size > MAX_HEADER_BYTES || !NAME_START.startsWith(start)) nonsense("it wrote something that is no LSP header");
      return false;
    }
    const lines = take(end + HEADER_END.length).toString("latin1").trimEnd().split("\r\n");
    const length = lines.map((line) => /^content-length:[ \t]*(\d{1,9})$/i.exec(line)).find(Boolean);
    const isLsp = lines.every((line) => /^content-(length|type):[^\n]*$/i.test(line));
    if (!isLsp || !length || Number(length[1]) > MAX_BODY_BYTES) {
      nonsense("it wrote something that is no LSP header");
      return false;
    }
    wanted = Number(length[1]);
    return true;
  };
  const readBody = (): boolean => {
    if (size < wanted) return false;
    const bytes = take(wanted);
    wanted = -1;
    let body: unknown;
    try {
      body = JSON.parse(bytes.toString("utf8"));
    } catch {
      nonsense("it wrote something that is no JSON");
      return false;
    }
    onBody(body);
    return true;
  };

  return (chunk) => {
    if (broken) return;
    chunks.push(chunk);
    size += chunk.length;
    while (!broken && (wanted < 0 ? size > 0 && readHeader() : readBody())) {
      // Each turn takes one header or one body off the front.
    }
  };
}
