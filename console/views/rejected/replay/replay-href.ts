// The URL of the form that replays the events of a range.

import type { Range } from '../../../pieces/range/range.ts';
import { REJECTED } from '../rejected-paths.ts';

/** Without reasons, all of them are selected. */
export function replayHref({ from, to }: Range, codes: readonly string[]): string {
  const params = new URLSearchParams({ from, to });
  for (const code of codes) params.append('code', code);
  return `${REJECTED.replay}?${params}`;
}
