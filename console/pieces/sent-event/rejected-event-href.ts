// The URL of one rejected event. The API has no ID for it: its time, reason and position in the
// batch identify it.

import type { Sent } from './sent.ts';

const LIST = '/rejected';
const NAMES = ['at', 'reason', 'position', 'message'] as const;

/** `filter` is the list that the event's page links back to. */
export function rejectedEventHref(
  { receivedAt, messageId, refusal }: Sent,
  filter: URLSearchParams = new URLSearchParams(),
): string {
  const params = new URLSearchParams(filter);
  params.set('at', receivedAt);
  params.set('reason', refusal?.code ?? '');
  params.set('position', String(refusal?.batchIndex ?? 0));
  if (messageId !== null) params.set('message', messageId);
  return `${LIST}/event?${params}`;
}

export type EventAddress = {
  readonly at: string;
  readonly code: string;
  readonly batchIndex: number;
  readonly messageId: string | null;
};

/** Undefined if the URL does not identify an event. */
export function eventAddress(params: URLSearchParams): EventAddress | undefined {
  const [at, code, position, messageId] = NAMES.map(name => params.get(name));
  if (!at || !code || Number.isNaN(Date.parse(at))) return undefined;
  return { at, code, batchIndex: Number(position), messageId: messageId ?? null };
}

/** The list that the event was opened from. */
export function listHref(params: URLSearchParams): string {
  const rest = new URLSearchParams(params);
  for (const name of NAMES) rest.delete(name);
  return rest.size === 0 ? LIST : `${LIST}?${rest}`;
}
