export type Series = {
  readonly name: string;
  /** Null has no bar: a mean of nothing, for example. */
  readonly values: readonly (number | null)[];
  readonly tone: 'brand' | 'good' | 'bad' | 'waiting' | 'quiet';
};

export type ChartProps = {
  /** A one-sentence description of the chart. */
  readonly label: string;
  /** The labels of the axis, one per value. */
  readonly names: readonly string[];
  readonly series: readonly Series[];
  /** Marks values that may be incomplete, because an empty bar would mean none. */
  readonly isUnknown?: readonly boolean[];
  readonly isStacked?: boolean;
  /** From left to right, as high as its rows need. */
  readonly isHorizontal?: boolean;
  readonly heightPx?: number;
  /** Such as a share; by default a count. */
  readonly inWords?: (value: number) => string;
  /** A click on the values at a position. The same must be possible with the keyboard elsewhere. */
  readonly onPick?: (at: number) => void;
};
