// The lines of a trend, with the names under which they are shown.

import { nameOfLine } from '../lines.ts';
import type { TrendLine } from './trends-query.ts';

export type ShownLine = TrendLine & { readonly name: string };

/** Two lines with the same name are numbered. */
export function shownLines(
  lines: readonly TrendLine[],
  events: readonly string[],
  isBrokenDown: boolean,
): readonly ShownLine[] {
  const uses = new Map<string, number>();
  return lines.map(line => {
    const name = nameOf(line);
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return { ...line, name: use === 1 ? name : `${name} (${use})` };
  });
  function nameOf({ series, values, isRest }: TrendLine): string {
    const event = events[series] ?? '';
    if (!isBrokenDown) return event;
    const value = nameOfLine({ value: values[0], isRest });
    return events.length === 1 ? value : `${event}: ${value}`;
  }
}
