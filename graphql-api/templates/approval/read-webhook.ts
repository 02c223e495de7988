// Reads the approvers' webhooks, one event per change. Signed content that is not about template
// approval is ignored.

import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../../schema/values/durations.ts';
import { type ExactJson, field, readExact, textField } from '../../../schema/values/exact-json.ts';
import type { TemplateChannel } from '../content.ts';
import { upstreamText } from './upstream-call.ts';

export type UpstreamEvent = {
  readonly channel: TemplateChannel;
  /** Identical when the same event is delivered again. */
  readonly eventKey: string;
  readonly upstreamName: string;
  readonly upstreamId: string | null;
  readonly word: string;
  readonly reason: string | null;
  readonly occurredAt: Date;
  /** The end of a pause that ends on its own. */
  readonly healthUntil: Date | null;
};

const STATUS_FIELD = 'message_template_status_update';
/** The duration of the platform's pauses, by their title. */
const PAUSE_HOURS: Readonly<Record<string, number>> = { FIRST_PAUSE: 3, SECOND_PAUSE: 6 };
const WORD_CHARACTERS_MAX = 50;
/**
 * The tolerated lead of the approver's clock. An event from further in the future would outrank all
 * events that follow.
 */
const CLOCK_SKEW_MS_MAX = 5 * 60 * 1000;

/** Returns undefined if the body is not JSON. */
export function readMessagingAppWebhook(
  body: Buffer,
  nowMs: number,
): readonly UpstreamEvent[] | undefined {
  const json = readExact(body.toString('utf8'));
  if (json === undefined) return undefined;
  return listOf(field(json, 'entry')).flatMap(entry =>
    listOf(field(entry, 'changes')).flatMap(change => statusUpdate(entry, change, nowMs)),
  );
}

export function readSmsWebhook(body: Buffer, nowMs: number): readonly UpstreamEvent[] | undefined {
  const json = readExact(body.toString('utf8'));
  if (json === undefined) return undefined;
  const name = upstreamText(json, 'reference');
  const word = upstreamText(json, 'status', WORD_CHARACTERS_MAX);
  if (name === undefined || word === undefined) return [];
  const said = Date.parse(textField(json, 'occurred_at') ?? '');
  return [
    {
      channel: 'sms',
      eventKey: keyOf([textField(json, 'event_id') ?? body.toString('utf8')]),
      upstreamName: name,
      upstreamId: upstreamText(json, 'template_id') ?? null,
      word,
      reason: upstreamText(json, 'reason') ?? null,
      occurredAt: new Date(plausibleMs(said, nowMs)),
      healthUntil: null,
    },
  ];
}

/** The event has no ID, so it is identified by its content, subject and time. */
function statusUpdate(entry: ExactJson, change: ExactJson, nowMs: number): UpstreamEvent[] {
  const value = field(change, 'value');
  const name = upstreamText(value, 'message_template_name');
  const word = upstreamText(value, 'event', WORD_CHARACTERS_MAX);
  if (field(change, 'field') !== STATUS_FIELD || name === undefined || word === undefined)
    return [];
  const time = textField(entry, 'time') ?? '';
  const occurredMs = plausibleMs(/^\d+$/.test(time) ? Number(time) * 1000 : Number.NaN, nowMs);
  const title = textField(field(value, 'other_info'), 'title') ?? '';
  const pauseHours = word === 'PAUSED' ? PAUSE_HOURS[title] : undefined;
  return [
    {
      channel: 'messaging_app',
      eventKey: keyOf([textField(entry, 'id') ?? '', time, JSON.stringify(value)]),
      upstreamName: name,
      upstreamId: upstreamText(value, 'message_template_id') ?? null,
      word,
      reason: reasonOf(value),
      occurredAt: new Date(occurredMs),
      healthUntil: pauseHours === undefined ? null : new Date(occurredMs + pauseHours * HOUR_MS),
    },
  ];
}

/** The platform sends a recommendation only for format errors. */
function reasonOf(value: ExactJson | undefined): string | null {
  const reason = upstreamText(value, 'reason');
  if (reason === undefined || reason === 'NONE') return null;
  const recommendation = upstreamText(field(value, 'rejection_info'), 'recommendation');
  return recommendation === undefined ? reason : `${reason}: ${recommendation}`;
}

/** Falls back to the current time if the given time is implausible. */
function plausibleMs(saidMs: number, nowMs: number): number {
  return saidMs >= 0 && saidMs <= nowMs + CLOCK_SKEW_MS_MAX ? saidMs : nowMs;
}

function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function listOf(json: ExactJson | undefined): readonly ExactJson[] {
  return Array.isArray(json) ? (json as readonly ExactJson[]) : [];
}
