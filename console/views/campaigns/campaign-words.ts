// A campaign's settings as people say them.

import { inCount } from '../../pieces/in-words.ts';
import type { Tone } from '../../pieces/State.tsx';
import { operatorInWords } from '../../pieces/trait-match/trait-json.ts';

export const STATUSES = ['DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED'] as const;
export type CampaignStatus = (typeof STATUSES)[number];

export const STATUS_TONES: Readonly<Record<CampaignStatus, Tone>> = {
  DRAFT: 'info',
  LIVE: 'good',
  PAUSED: 'waiting',
  ARCHIVED: 'quiet',
};

/** Undefined if it is not known. */
type NameOfSegment = (audienceId: string) => string | undefined;

/** For example “plan is pro and not in “Ordered lately””. */
export function audienceInWords(
  audience: unknown,
  nameOf: NameOfSegment,
  isWithin = false,
): string {
  if (audience === null || typeof audience !== 'object') return 'Everybody';
  const node = audience as Readonly<Record<string, unknown>>;
  for (const word of ['and', 'or']) {
    const parts = node[word];
    if (!Array.isArray(parts)) continue;
    const said = parts.map(part => audienceInWords(part, nameOf, true)).join(` ${word} `);
    return isWithin && parts.length > 1 ? `(${said})` : said;
  }
  if (typeof node.segment_id === 'string')
    return `in ${named(nameOf(node.segment_id)) ?? `segment ${node.segment_id}`}`;
  if (!('not' in node)) return comparisonInWords(node);
  const inner = audienceInWords(node.not, nameOf);
  return Object.hasOwn(Object(node.not), 'segment_id') ? `not ${inner}` : `not (${inner})`;
}

function named(name: string | undefined): string | undefined {
  return name && `“${name}”`;
}

function comparisonInWords(node: Readonly<Record<string, unknown>>): string {
  const { trait, operator, value } = node;
  const words = operatorInWords(operator);
  if (typeof trait !== 'string') return UNREADABLE;
  if (operator === 'exists') return `${trait} is ${value === true ? 'known' : 'not known'}`;
  const values = Array.isArray(value) ? value.join(', ') : String(value);
  return words === undefined ? UNREADABLE : `${trait} ${words} ${values}`;
}

const UNREADABLE = 'No audience that can be read';

type Caps = {
  readonly totalMax: number | null;
  readonly windowMax: number | null;
  readonly windowSeconds: number | null;
  readonly intervalSecondsMin: number | null;
};

export function capsInWords(caps: Caps): string {
  const { totalMax, windowMax, windowSeconds, intervalSecondsMin } = caps;
  const said = [
    totalMax !== null && `${inCount(totalMax)} in all`,
    windowMax !== null && `${inCount(windowMax)} in ${inDuration(windowSeconds ?? 0)}`,
    intervalSecondsMin !== null && `${inDuration(intervalSecondsMin)} apart`,
  ].filter(one => one !== false);
  return said.length === 0 ? 'No limit' : said.join(', ');
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** In the largest unit that it is a whole number of. */
function inDuration(seconds: number): string {
  const [length, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  const count = seconds / length;
  return `${inCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}
