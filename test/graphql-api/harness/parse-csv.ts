// A strict parser of RFC 4180 that shares no code with the writer. It throws on anything that the
// RFC does not allow.

/** null is an empty field without quotes. */
export type Field = string | null;

const QUOTED = /"((?:[^"]|"")*)"/y;
const PLAIN = /[^",\r\n]*/y;

/** Returns all lines, including the header. */
export function parseCsv(text: string): Field[][] {
  const lines: Field[][] = [];
  let at = 0;
  while (at < text.length) {
    const line: Field[] = [];
    do line.push(field());
    while (skip(','));
    if (!skip('\r\n'))
      throw new Error(`no CRLF at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    if (line.length !== (lines[0] ?? line).length)
      throw new Error(`${line.length} fields: ${line.join()}`);
    lines.push(line);
  }
  return lines;

  function field(): Field {
    QUOTED.lastIndex = PLAIN.lastIndex = at;
    const quoted = QUOTED.exec(text);
    const [whole, inside] = quoted ?? PLAIN.exec(text)!;
    at += whole.length;
    return inside === undefined ? whole || null : inside.replaceAll('""', '"');
  }

  function skip(what: string): boolean {
    if (!text.startsWith(what, at)) return false;
    at += what.length;
    return true;
  }
}
