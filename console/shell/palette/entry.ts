import type { View } from '../views.ts';

/** A line of the palette: it goes somewhere, or does something. */
export type Entry = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly description?: string;
  /** Other words for it, with a comma between them. */
  readonly words?: string;
  /** Left out while nothing is typed. */
  readonly isOnlyFound?: boolean;
  /** Before all other entries whose label, or other words, the typed text means. */
  readonly isFirst?: boolean;
  readonly Icon?: View['icon'];
  readonly href?: string;
  readonly run?: () => void;
};
