// One item of the live view as a line of a terminal.

import { styleText } from 'node:util';
import type { TailCounts, TailItem } from './live-document.ts';

export type LineOptions = {
  readonly width: number;
  readonly isColoured: boolean;
};

const TYPE_COLUMN = 9;
const NAME_COLUMN = 26;
const PERSON_COLUMN = 16;

type Colour = 'green' | 'red' | 'cyan' | 'magenta' | 'yellow' | 'dim';
type Columns = {
  readonly at: string;
  readonly mark: string;
  readonly colour: Colour;
  readonly texts: readonly string[];
};

/** Undefined for items without information for the user, such as counts without hidden items. */
export function tailLine(item: TailItem, { width, isColoured }: LineOptions): string | undefined {
  const columns = columnsOf(item);
  if (columns === undefined) return undefined;
  const { at, mark, colour, texts } = columns;
  const head = `${timeOf(at)} ${mark}`;
  const room = Math.max(0, width - head.length - 1);
  const text = cut(texts.map(printable).join('  '), room).trimEnd();
  if (!isColoured) return `${head} ${text}`;
  const paint = (style: Colour, part: string) => styleText(style, part, { validateStream: false });
  const [first, ...rest] = splitAt(text, texts[0]?.length ?? 0);
  return `${paint('dim', timeOf(at))} ${paint(colour, `${mark} ${first}`)}${rest.join('')}`;
}

function columnsOf(item: TailItem): Columns | undefined {
  switch (item.__typename) {
    case 'LiveEvent': {
      const { receivedAt: at, type, name, body } = item;
      const texts = [padded(type ?? '', TYPE_COLUMN), padded(name ?? '', NAME_COLUMN)];
      return { at, mark: '+', colour: 'green', texts: [...texts, personOf(item), gist(body)] };
    }
    case 'LiveRejectedEvent': {
      const { receivedAt: at, code, message, name, batchIndex, body } = item;
      const place = `#${batchIndex}`;
      const texts = [code, message, place, name ?? '', personOf(item).trimEnd(), gist(body)];
      return { at, mark: '!', colour: 'red', texts: texts.filter(text => text !== '') };
    }
    case 'LiveGatewayEvent': {
      const { receivedAt: at, eventType, state, effects, error } = item;
      const texts = ['gateway  ', padded(eventType, NAME_COLUMN), padded(state, PERSON_COLUMN)];
      return { at, mark: '<', colour: 'cyan', texts: [...texts, effects.join(' '), error ?? ''] };
    }
    case 'LiveDelivery': {
      const { attemptedAt: at, eventType, outcome, status, latencyMs, attempt, isTest } = item;
      const isDelivered = outcome === 'DELIVERED';
      const texts = [
        'webhook  ',
        padded(isTest ? `${eventType} (test)` : eventType, NAME_COLUMN),
        padded(`${status ?? ''} ${outcome}`.trim(), PERSON_COLUMN),
        `${latencyMs} ms, attempt ${attempt}`,
        isDelivered ? '' : item.reason,
      ];
      return { at, mark: '>', colour: isDelivered ? 'magenta' : 'yellow', texts };
    }
    case 'LiveCounts':
      return countsColumns(item);
  }
}

function countsColumns({
  at,
  accepted,
  rejected,
  notShown,
  deliveries,
  deliveriesNotShown,
  isIngestAnswering,
}: TailCounts): Columns | undefined {
  const parts = [
    !isIngestAnswering && 'ingest is not responding: events are missing',
    notShown > 0 &&
      `${inDigits(notShown)} more events are not shown, of ${inDigits(accepted)} accepted and ${inDigits(rejected)} rejected`,
    deliveriesNotShown > 0 &&
      `${inDigits(deliveriesNotShown)} more webhooks are not shown, of ${inDigits(deliveries)}`,
  ].filter(part => part !== false);
  if (parts.length === 0) return undefined;
  return { at, mark: '…', colour: isIngestAnswering ? 'dim' : 'yellow', texts: [parts.join('; ')] };
}

function personOf({ userId, anonymousId }: Extract<TailItem, { userId: unknown }>): string {
  return padded(userId ?? anonymousId ?? '', PERSON_COLUMN);
}

/** The main fields of an event; the others have a column or belong to the SDK. */
function gist(body: string): string {
  try {
    const { properties, traits, payload, metadata } = JSON.parse(body) as Record<string, unknown>;
    const found = properties ?? traits ?? payload ?? metadata;
    return found === undefined ? '' : JSON.stringify(found);
  } catch {
    // The text was truncated, or is not a JSON object.
    return body;
  }
}

function padded(text: string, columns: number): string {
  return cut(text, columns).padEnd(columns);
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

function splitAt(text: string, index: number): readonly [string, string] {
  return [text.slice(0, index), text.slice(index)];
}

/** In the terminal's own time zone, to the millisecond. */
function timeOf(at: string): string {
  const date = new Date(at);
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const clock = [hours, minutes, seconds].map(value => digits(value, 2)).join(':');
  return `${clock}.${digits(date.getMilliseconds(), 3)}`;
}

export function inDigits(count: number): string {
  return count.toLocaleString('en-US');
}

/** Removes control characters, so that a sender of events cannot control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
