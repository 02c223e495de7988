// The URL of the form that replays rejected events.

import type { Range } from '../../../pieces/range/range.ts';
import { REJECTED } from '../rejected-paths.ts';

export type ReplayScope = {
  readonly range: Range;
  /** Without reasons, all of them are selected. */
  readonly codes: readonly string[];
  /** The key of the only group to replay. */
  readonly group?: string;
  /** The hash of the only event to replay. */
  readonly hash?: string;
};

/** `back` is the page that the form links back to, with its filter. */
export function replayHref({ range, codes, group, hash }: ReplayScope, back: string): string {
  const params = new URLSearchParams({ from: range.from, to: range.to });
  for (const code of codes) params.append('code', code);
  if (group !== undefined) params.set('group', group);
  if (hash !== undefined) params.set('hash', hash);
  params.set('back', back);
  return `${REJECTED.replay}?${params}`;
}

/** Only a page of this view. */
export function backOf(params: URLSearchParams): string {
  const back = params.get('back') ?? '';
  const isOwn = [REJECTED.groups, REJECTED.event].some(path => back.split('?')[0] === path);
  return isOwn ? back : REJECTED.groups;
}
