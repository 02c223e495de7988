// A campaign's settings as people say them.

import { inCount } from '../../pieces/in-words.ts';
import type { Tone } from '../../pieces/State.tsx';

export const STATUSES = ['DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED'] as const;
export type CampaignStatus = (typeof STATUSES)[number];

export const STATUS_TONES: Readonly<Record<CampaignStatus, Tone>> = {
  DRAFT: 'info',
  LIVE: 'good',
  PAUSED: 'waiting',
  ARCHIVED: 'quiet',
};

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
};

/** For example “plan is pro and not (city is Pune)”. */
export function audienceInWords(audience: unknown, isWithin = false): string {
  if (audience === null || typeof audience !== 'object') return 'Everybody';
  const node = audience as Readonly<Record<string, unknown>>;
  for (const word of ['and', 'or']) {
    const parts = node[word];
    if (!Array.isArray(parts)) continue;
    const said = parts.map(part => audienceInWords(part, true)).join(` ${word} `);
    return isWithin && parts.length > 1 ? `(${said})` : said;
  }
  if ('not' in node) return `not (${audienceInWords(node.not)})`;
  if (typeof node.segment_id === 'string') return `in segment ${node.segment_id}`;
  if (typeof node.trait !== 'string') return 'No audience that can be read';
  const { value } = node;
  const [trait, operator] = [String(node.trait), String(node.operator)];
  if (operator === 'exists') return `${trait} is ${value === true ? 'known' : 'not known'}`;
  const values = Array.isArray(value) ? value.join(', ') : String(value);
  return `${trait} ${OPERATORS[operator] ?? operator} ${values}`;
}

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
  return said.length === 0 ? 'As often as it fits' : said.join(', ');
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
