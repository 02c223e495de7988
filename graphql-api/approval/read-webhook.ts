// What the approvers' webhooks say, each change by itself. What isn't about a template's approval is
// left out: it was signed, and is somebody else's.

import { createHash } from 'node:crypto';
import type { TemplateChannel } from '../../schema/rules/templates/content.ts';
import { type ExactJson, field, readExact, textField } from '../gateway/exact-json.ts';

export type UpstreamEvent = {
  readonly channel: TemplateChannel;
  /** The same for the same event delivered again. */
  readonly eventKey: string;
  readonly upstreamName: string;
  readonly upstreamId: string | null;
  readonly word: string;
  readonly reason: string | null;
  readonly occurredAt: Date;
  /** Of a pause that ends by itself. */
  readonly healthUntil: Date | null;
};

const STATUS_FIELD = 'message_template_status_update';
const HOUR_MS = 60 * 60 * 1000;
/** How long the platform pauses a template, by the title that it gives. */
const PAUSE_HOURS: Readonly<Record<string, number>> = { FIRST_PAUSE: 3, SECOND_PAUSE: 6 };
/** Of what an approver writes: cut, so that a row stays a row. */
const WORD_CHARACTERS_MAX = 50;
const TEXT_CHARACTERS_MAX = 512;

/** Undefined where it is no JSON. */
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
  const name = textField(json, 'reference');
  const word = textField(json, 'status');
  if (name === undefined || word === undefined) return [];
  const said = Date.parse(textField(json, 'occurred_at') ?? '');
  return [
    {
      channel: 'sms',
      eventKey: keyOf([textField(json, 'event_id') ?? body.toString('utf8')]),
      upstreamName: name.slice(0, TEXT_CHARACTERS_MAX),
      upstreamId: textField(json, 'template_id')?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
      word: word.slice(0, WORD_CHARACTERS_MAX),
      reason: textField(json, 'reason')?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
      occurredAt: new Date(Number.isNaN(said) ? nowMs : said),
      healthUntil: null,
    },
  ];
}

/** It has no id of its own: what it says, about what and when, is what makes it the same. */
function statusUpdate(entry: ExactJson, change: ExactJson, nowMs: number): UpstreamEvent[] {
  const value = field(change, 'value');
  const name = textField(value, 'message_template_name');
  const word = textField(value, 'event');
  if (field(change, 'field') !== STATUS_FIELD || name === undefined || word === undefined)
    return [];
  const time = textField(entry, 'time') ?? '';
  const occurredMs = /^\d{1,11}$/.test(time) ? Number(time) * 1000 : nowMs;
  const title = textField(field(value, 'other_info'), 'title') ?? '';
  const pauseHours = word === 'PAUSED' ? PAUSE_HOURS[title] : undefined;
  return [
    {
      channel: 'messaging_app',
      eventKey: keyOf([textField(entry, 'id') ?? '', time, JSON.stringify(value)]),
      upstreamName: name.slice(0, TEXT_CHARACTERS_MAX),
      upstreamId: textField(value, 'message_template_id')?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
      word: word.slice(0, WORD_CHARACTERS_MAX),
      reason: reasonOf(value),
      occurredAt: new Date(occurredMs),
      healthUntil: pauseHours === undefined ? null : new Date(occurredMs + pauseHours * HOUR_MS),
    },
  ];
}

/** Only for a format it recommends something. */
function reasonOf(value: ExactJson | undefined): string | null {
  const reason = textField(value, 'reason');
  if (reason === undefined || reason === 'NONE') return null;
  const recommendation = textField(field(value, 'rejection_info'), 'recommendation');
  const whole = recommendation === undefined ? reason : `${reason}: ${recommendation}`;
  return whole.slice(0, TEXT_CHARACTERS_MAX);
}

function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function listOf(json: ExactJson | undefined): readonly ExactJson[] {
  return Array.isArray(json) ? (json as readonly ExactJson[]) : [];
}
