// Finds the line that a remark is about.

import type { JsonLine } from './json-lines.ts';

export type JsonMark = {
  /** From the outermost value to the one at fault. */
  readonly path: readonly string[];
  /** Within it, where the path does not say it all. */
  readonly isFault?: (line: JsonLine) => boolean;
  readonly note: string;
};

export type MarkedLine = JsonLine & {
  readonly note?: string;
  /** It should be there and is not. */
  readonly isMissing?: boolean;
};

/** The line with the note; where the value is not there, a line in its place. */
export function markLine(lines: readonly JsonLine[], mark: JsonMark | undefined): MarkedLine[] {
  if (mark === undefined) return [...lines];
  const { path, isFault, note } = mark;
  const within = lines.filter(line => line.path && isWithin(line.path, path));
  const found = (isFault && within.find(isFault)) ?? within.find(line => isAt(line, path));
  if (found !== undefined) return lines.map(line => (line === found ? { ...line, note } : line));
  const parent = lines.findIndex(line => isAt(line, path.slice(0, -1)));
  if (parent === -1) return [...lines];
  const missing: MarkedLine = {
    depth: path.length,
    path,
    pieces: [{ kind: 'name', text: JSON.stringify(path.at(-1)) }],
    note,
    isMissing: true,
  };
  return [...lines.slice(0, parent + 1), missing, ...lines.slice(parent + 1)];
}

function isAt({ path }: JsonLine, at: readonly string[]): boolean {
  return path?.length === at.length && isWithin(path, at);
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, depth) => path[depth] === name);
}
