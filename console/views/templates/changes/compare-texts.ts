// Compares two texts side by side: matching lines share a row, and differences within them are
// marked by word.

import { diffLines, diffWordsWithSpace } from 'diff';

export type Piece = { readonly text: string; readonly isChanged: boolean };

/** A side is undefined where the other one has a line more. */
export type Row = {
  readonly before: readonly Piece[] | undefined;
  readonly after: readonly Piece[] | undefined;
  readonly isSame: boolean;
};

export function compareTexts(before: string, after: string): Row[] {
  const rows: Row[] = [];
  let removed: readonly string[] = [];
  for (const { value, added: isAdded, removed: isRemoved } of diffLines(before, after)) {
    const lines = linesOf(value);
    if (isRemoved) removed = lines;
    else if (isAdded) {
      rows.push(...paired(removed, lines));
      removed = [];
    } else {
      rows.push(...paired(removed, []), ...lines.map(sameRow));
      removed = [];
    }
  }
  return [...rows, ...paired(removed, [])];
}

function paired(removed: readonly string[], added: readonly string[]): Row[] {
  const length = Math.max(removed.length, added.length);
  return Array.from({ length }, (_none, at) => changedRow(removed[at], added[at]));
}

function sameRow(text: string): Row {
  const pieces = [{ text, isChanged: false }];
  return { before: pieces, after: pieces, isSame: true };
}

function changedRow(before: string | undefined, after: string | undefined): Row {
  if (before === undefined || after === undefined)
    return { before: whole(before), after: whole(after), isSame: false };
  const changes = diffWordsWithSpace(before, after);
  const side = (other: 'added' | 'removed', own: 'added' | 'removed') =>
    changes
      .filter(change => !change[other])
      .map(change => ({ text: change.value, isChanged: change[own] }));
  return { before: side('added', 'removed'), after: side('removed', 'added'), isSame: false };
}

function whole(text: string | undefined): readonly Piece[] | undefined {
  return text === undefined ? undefined : [{ text, isChanged: true }];
}

/** Without the end of the last one, which is no line of its own. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** HTML is often one line: each block on one of its own, to be read and compared. */
export function inLines(html: string): string {
  return html.replaceAll(
    />\s*(?=<(?:p|div|table|tr|td|ul|ol|li|h[1-6]|img|\/(?:table|tr|ul|ol|div|body))\b)/gi,
    '>\n',
  );
}
