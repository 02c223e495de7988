import { parseInstant } from '../../../schema/values/instant.ts';
import { readBody } from './read-body.ts';
import type { Sent } from './sent.ts';

/** As for ingest: a larger difference is neither the network nor the wait for a batch. */
const DIFFERENCE_MS_MAX = 5 * 60_000;

/**
 * When the event occurred, by the client's clock, if that differs much from its arrival. Undefined if
 * the body is truncated.
 */
export function differingEventTime({ body, receivedAt }: Sent): string | undefined {
  const ms = parseInstant(readBody(body).timestamp ?? '')?.ms;
  if (ms === undefined) return undefined;
  const isNear = Math.abs(Date.parse(receivedAt) - ms) <= DIFFERENCE_MS_MAX;
  return isNear ? undefined : new Date(ms).toISOString();
}
