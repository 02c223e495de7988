// Writes the body of a request of PostHog's clients as bodies of /v1/batch.

import { parseInstant } from '../../../schema/values/instant.ts';
import type { Problem } from '../../../schema/values/problem.ts';
import { COMPATIBLE_EVENTS_MAX } from '../../limits.ts';
import type { ForeignRequest } from '../foreign-endpoint.ts';
import { elementsOf, membersOf } from '../json-spans.ts';
import type { Json } from '../json-values.ts';
import { normaliseRequest, tooMany, wholeOf } from '../normalise-request.ts';
import { translateEvent } from './translate-event.ts';

/** Members of a batch other than its events and its time are not stored. */
export function translateRequest(request: ForeignRequest): Buffer[] | Problem {
  const { text, value, receivedAtMs } = request;
  const { sent_at: sentAt } = value;
  const sentAtMs = (typeof sentAt === 'string' && parseInstant(sentAt)?.ms) || receivedAtMs;
  const head = typeof sentAt === 'string' ? `"sentAt":${JSON.stringify(sentAt)},` : '';
  const events = eventsOf(text, value, sentAtMs);
  if (typeof events === 'object' && 'code' in events) return events;
  const written = `{${head}"batch":${events}}`;
  const parsed = JSON.parse(written) as Json;
  return normaliseRequest({ ...request, text: written, value: parsed, type: undefined });
}

/** The text of an array, or of a value that the contract then refuses. */
function eventsOf(text: string, value: Json, sentAtMs: number): string | Problem {
  const whole = wholeOf(text);
  const batch = membersOf(text, whole.start).findLast(({ name }) => name === 'batch');
  if (batch === undefined) return `[${translateEvent(text, whole, value, sentAtMs)}]`;
  if (!Array.isArray(value.batch)) return text.slice(batch.start, batch.end);
  const values: readonly unknown[] = value.batch;
  if (values.length > COMPATIBLE_EVENTS_MAX) return tooMany(values.length);
  const events = elementsOf(text, batch.start).map((span, place) =>
    translateEvent(text, span, values[place], sentAtMs),
  );
  return `[${events.join(',')}]`;
}
