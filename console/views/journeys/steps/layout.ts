// Where the steps and the lines between them are drawn: each step below all that lead to it. A line
// that passes a row takes a place in it, so that it crosses no step.

import { type Linked, type Outcome, waysFrom } from './step-order.ts';

export const STEP_WIDTH = 248;
export const STEP_HEIGHT = 84;
const GAP_X = 32;
const GAP_Y = 48;
/** Of a column that only lines pass. */
const LINE_WIDTH = 24;

type Point = { readonly x: number; readonly y: number };

export type PlacedStep<S> = Point & { readonly step: S };
export type Line = {
  readonly key: string;
  readonly path: string;
  readonly outcomes: readonly Outcome[];
  /** Where the outcomes are written. */
  readonly label: Point;
};

export type Layout<S> = {
  readonly steps: readonly PlacedStep<S>[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
};

/** A step, or the place of a line that passes a row. */
type Place = { readonly key: string; readonly wanted: number; readonly isStep: boolean };

type Span = {
  readonly from: string;
  readonly to: string;
  readonly outcomes: readonly Outcome[];
  /** The keys of the places from the step to its successor, one in each row. */
  readonly via: readonly string[];
};

/** The steps must be in order. */
export function layoutOf<S extends Linked>(steps: readonly S[]): Layout<S> {
  const rows = rowsOf(steps);
  const spans = spansOf(steps, rows);
  const columns = columnsOf(steps, rows, spans);
  const lefts = leftsOf(steps, columns);
  const centerOf = (key: string) => {
    const column = columns.get(key)!;
    return lefts.at[column]! + lefts.widths[column]! / 2;
  };
  const topOf = (row: number) => row * (STEP_HEIGHT + GAP_Y);
  const lines = spans.map(span => {
    const firstRow = rows.get(span.from)!;
    const points = span.via.map((key, at) => ({ x: centerOf(key), y: topOf(firstRow + at) }));
    return lineOf(span, points);
  });
  const rowCount = Math.max(...rows.values()) + 1;
  return {
    steps: steps.map(step => ({
      step,
      x: centerOf(step.id) - STEP_WIDTH / 2,
      y: topOf(rows.get(step.id)!),
    })),
    lines,
    width: lefts.at.at(-1)! + lefts.widths.at(-1)!,
    height: topOf(rowCount) - GAP_Y,
  };
}

/** One row below the lowest predecessor. */
function rowsOf(steps: readonly Linked[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const step of steps) {
    const row = rows.get(step.id) ?? 0;
    rows.set(step.id, row);
    for (const { to } of waysFrom(step)) rows.set(to, Math.max(rows.get(to) ?? 0, row + 1));
  }
  return rows;
}

function spansOf(steps: readonly Linked[], rows: ReadonlyMap<string, number>): Span[] {
  return steps.flatMap(step =>
    waysFrom(step).map(({ to, outcomes }) => {
      const passed = rows.get(to)! - rows.get(step.id)! - 1;
      const between = Array.from({ length: passed }, (_, at) => `${step.id} ${to} ${at}`);
      return { from: step.id, to, outcomes, via: [step.id, ...between, to] };
    }),
  );
}

/** The main way stays in its column; other ways move to the right. */
function columnsOf(
  steps: readonly Linked[],
  rows: ReadonlyMap<string, number>,
  spans: readonly Span[],
): Map<string, number> {
  const columns = new Map<string, number>();
  const rowCount = Math.max(...rows.values()) + 1;
  const wantedBy = (key: string, row: number) => {
    const wishes = spans.flatMap(span => {
      const at = row - rows.get(span.from)!;
      if (at < 1 || span.via[at] !== key) return [];
      const rank = spans.filter(({ from }) => from === span.from).indexOf(span);
      return columns.get(span.via[at - 1]!)! + (at === 1 ? rank : 0);
    });
    return wishes.length === 0 ? 0 : Math.min(...wishes);
  };
  for (let row = 0; row < rowCount; row += 1) {
    const inRow = steps.filter(({ id }) => rows.get(id) === row).map(({ id }) => id);
    const passing = spans.flatMap(({ from, via }) => {
      const at = row - rows.get(from)!;
      return at > 0 && at < via.length - 1 ? [via[at]!] : [];
    });
    const places: Place[] = [
      ...inRow.map(key => ({ key, wanted: wantedBy(key, row), isStep: true })),
      ...passing.map(key => ({ key, wanted: wantedBy(key, row), isStep: false })),
    ];
    let free = 0;
    for (const { key, wanted } of places.toSorted(byWish)) {
      const column = Math.max(wanted, free);
      columns.set(key, column);
      free = column + 1;
    }
  }
  return columns;
}

/** Where both want the same column, the step gets it. */
function byWish(a: Place, b: Place): number {
  return a.wanted - b.wanted || Number(b.isStep) - Number(a.isStep);
}

/** The left edge and the width of each column. */
function leftsOf(
  steps: readonly Linked[],
  columns: ReadonlyMap<string, number>,
): { readonly at: readonly number[]; readonly widths: readonly number[] } {
  const withSteps = new Set(steps.map(({ id }) => columns.get(id)));
  const count = Math.max(...columns.values()) + 1;
  const widths = Array.from({ length: count }, (_, at) =>
    withSteps.has(at) ? STEP_WIDTH : LINE_WIDTH,
  );
  let left = 0;
  const at = widths.map(width => {
    const here = left;
    left += width + GAP_X;
    return here;
  });
  return { at, widths };
}

function lineOf({ from, to, outcomes }: Span, points: readonly Point[]): Line {
  const [first, ...others] = points as [Point, ...Point[]];
  let path = `M ${first.x} ${first.y + STEP_HEIGHT}`;
  let before = first;
  others.forEach((point, at) => {
    const [start, end] = [before.y + STEP_HEIGHT, point.y];
    const middle = (start + end) / 2;
    path += ` C ${before.x} ${middle} ${point.x} ${middle} ${point.x} ${end}`;
    if (at < others.length - 1) path += ` V ${end + STEP_HEIGHT}`;
    before = point;
  });
  const next = others[0]!;
  return { key: `${from} ${to}`, path, outcomes, label: { x: next.x, y: next.y - GAP_Y / 3 } };
}
