// Bodies of /v1/batch with anything that could break a scanner: realistic events, unusual members,
// lengths around each limit, escapes everywhere, white space, and duplicate members. The same
// bodies are also mutated: a few bytes are changed, inserted, removed or cut off.

import {
  EVENT_TYPES,
  eventText,
  realisticEvent,
  realisticEventText,
} from '../../../harness/batch.ts';
import type { Random } from '../../../harness/random.ts';

export function wildBody(random: Random): Buffer {
  return damaged(random, Buffer.from(new WildBody(random).body()));
}

const SENT_AT = '"2026-01-01T00:00:00.000Z"';
const KNOWN = [
  'type',
  'event',
  'name',
  'messageId',
  'timestamp',
  'anonymousId',
  'userId',
  'sessionId',
  'properties',
  'traits',
  'context',
];
const NEARLY_KNOWN = ['groupId', 'types', 'nam', 'prop', 'messageid', 'propertiez', 'anonymousIe'];
/**
 * Lengths around multiples of 16 bytes and around the limits, and characters of each UTF-8 length.
 */
const TEXTS = [
  '',
  'a',
  'type',
  '\u0000',
  '"',
  '\\',
  '\n',
  ' ',
  '\u007f',
  '\u0080',
  '\u07ff',
  '\u0800',
  'é',
  '東',
  '🚀',
  '\uffff',
  '\ud800',
  '\udc00',
  '\udc00\ud800',
  '🚀\ud83d',
  ...[14, 15, 16, 17, 31, 32, 33].map(length => 'x'.repeat(length)),
  'k'.repeat(256),
  'k'.repeat(257),
  'é'.repeat(256),
  '🚀'.repeat(257),
  'm'.repeat(512),
  'm'.repeat(513),
  'é'.repeat(512),
  '🚀'.repeat(513),
];
const LARGE_TEXTS = ['é'.repeat(5_120), 'é'.repeat(5_121), 'v'.repeat(10_240), 'v'.repeat(10_241)];
const NUMBERS = ['0', '-0', '1', '12', '-1.5', '1e5', '1E+5', '2.50e-3', '12345678901234567890'];
const BAD_NUMBERS = ['01', '-', '1.', '1e', '1e+', '.5', '+1', '9'.repeat(10_241)];
const BAD_WORDS = ['tru', 'nul', 'falsy', 'NaN', 'nulll', 'True'];
const TIMES = [
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2105-12-31T23:59:59.999Z',
  '2106-01-01T00:00:00.000Z',
  '2015-01-01T00:00:00.000Z',
  '2014-12-31T23:59:59.999Z',
  '2049-12-31T23:59:59.999Z',
  '2050-01-01T00:00:00.000Z',
  '2000-02-29T12:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '2023-02-29T00:00:00.000Z',
  '2100-02-29T12:00:00.000Z',
  '2024-13-01T00:00:00.000Z',
  '2024-00-01T00:00:00.000Z',
  '2024-01-00T00:00:00.000Z',
  '2024-04-31T00:00:00.000Z',
  '2024-01-32T00:00:00.000Z',
  '2024-12-31T24:00:00.000Z',
  '2024-12-31T23:60:00.000Z',
  '2024-12-31T23:59:60.000Z',
  '2024-12-31T23:59:61.000Z',
  '2024-01-01T00:00:00.0a0Z',
  '2024-01-01 00:00:00.000Z',
  '2024-1-01T00:00:00.0000Z',
  '2024-01-01T00:00:00Z',
  '2024-01-01',
  '20240101T000000Z',
  '2024-01-01T00:00:00+05:30',
  '2024-01-01T00:00:00.123456Z',
  'now',
];
const TIME_MAX_MS = Date.UTC(2106, 0, 1);

class WildBody {
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  body(): string {
    const { random } = this;
    const events = this.events();
    const batch = this.oneIn(40) ? this.value(2) : `[${events.map(e => this.spaced(e)).join(',')}]`;
    const members = [
      `${this.string('batch')}:${batch}`,
      `"sentAt":${this.oneIn(8) ? this.value(1) : SENT_AT}`,
      `"writeKey":${this.oneIn(9) ? this.value(1) : '"sdk_x"'}`,
    ];
    if (this.oneIn(4)) members.push(`${this.string('context')}:${this.value(6)}`);
    for (let i = random.below(3); i > 0; i--)
      members.push(`${this.string(random.pick(['integrations', 'batc', 'a']))}:${this.value(2)}`);
    if (this.oneIn(20)) members.push(random.pick(['"batch":[]', '"batch":1', '"writeKey":null']));
    if (this.oneIn(20)) members.push(`"batch":[${this.event()}]`, '"context":null');
    if (this.oneIn(3)) random.shuffle(members);
    return this.spaced(`{${members.map(member => this.spaced(member)).join(',')}}`);
  }

  private events(): string[] {
    const { random } = this;
    if (this.oneIn(40)) return Array<string>(random.pick([100, 101])).fill(eventText());
    const count = random.pick([0, 1, 1, 2, 3, 3, 4, 5, 5]);
    return Array.from({ length: count }, () => {
      if (this.oneIn(4)) return realisticEventText(realisticEvent(1, random.below(1_000_000)));
      return this.oneIn(20) ? this.value(3) : this.event();
    });
  }

  private event(): string {
    const { random } = this;
    const types = [...EVENT_TYPES, ...EVENT_TYPES, 'trackk', 'Track', 'pag', 'page\u0000'];
    const members = [
      `"type":${this.string(random.pick(types))}`,
      `"messageId":${this.oneIn(4) ? this.text() : this.string(`id${random.below(20)}`)}`,
      `${this.string('timestamp')}:${this.time()}`,
      `"anonymousId":${this.oneIn(9) ? this.text() : '"a"'}`,
      `"sessionId":${this.oneIn(9) ? this.text() : '"s"'}`,
      `"event":${this.oneIn(2) ? this.text() : '"Clicked"'}`,
    ];
    for (let i = random.below(6); i > 0; i--) members.push(this.member());
    if (this.oneIn(8)) members.splice(random.below(members.length), 1);
    if (this.oneIn(3)) random.shuffle(members);
    return `{${members.map(member => this.spaced(member)).join(',')}}`;
  }

  private member(): string {
    const name = this.random.pick([...KNOWN, ...NEARLY_KNOWN]);
    const kinds = [() => this.text(), () => this.value(3), () => this.object(6), () => 'null'];
    return `${this.string(name)}${this.space()}:${this.space()}${this.random.pick(kinds)()}`;
  }

  private time(): string {
    const { random } = this;
    if (this.oneIn(3)) return this.string(random.pick(TIMES));
    const ms = (random.below(TIME_MAX_MS / 1_000) * 1_000 + random.below(1_000)) % TIME_MAX_MS;
    return JSON.stringify(new Date(ms).toISOString());
  }

  private value(depth: number): string {
    const { random } = this;
    const isLeaf = depth <= 0 || this.oneIn(2);
    if (isLeaf && this.oneIn(3)) return this.text();
    if (isLeaf && this.oneIn(60)) return random.pick([...BAD_NUMBERS, ...BAD_WORDS]);
    if (isLeaf) return random.pick([...NUMBERS, 'true', 'false', 'null']);
    if (this.oneIn(2)) return this.object(depth - 1);
    const items = Array.from({ length: random.below(4) }, () => this.value(depth - 1));
    return `[${items.map(item => this.spaced(item)).join(',')}${this.space()}]`;
  }

  private object(depth: number): string {
    const members = Array.from({ length: this.random.below(4) }, () => {
      const key = this.text();
      return `${key}${this.space()}:${this.space()}${this.value(depth)}`;
    });
    return `{${this.space()}${members.join(`${this.space()},`)}}`;
  }

  private text(): string {
    const { random } = this;
    if (this.oneIn(50)) return this.string(random.pick(LARGE_TEXTS));
    const text = random.pick(TEXTS);
    return this.string(this.oneIn(4) ? text + random.pick(TEXTS) : text);
  }

  /** Encodes the text as JSON, sometimes with unnecessary escapes. */
  private string(text: string): string {
    if (!this.oneIn(3)) return JSON.stringify(text);
    const units = Array.from({ length: text.length }, (_, i) => {
      const unit = text.charCodeAt(i);
      const mustBe = unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit & 0xf800) === 0xd800;
      if (!mustBe && this.oneIn(2)) return text[i];
      const hex = unit.toString(16).padStart(4, '0');
      return `\\u${this.oneIn(2) ? hex : hex.toUpperCase()}`;
    });
    return `"${units.join('')}"`;
  }

  private spaced(text: string): string {
    return this.space() + text + this.space();
  }

  private space(): string {
    if (!this.oneIn(8)) return '';
    return this.random.pick([' ', '\n', '\t', '\r\n', '  ', ' '.repeat(40)]);
  }

  private oneIn(count: number): boolean {
    return this.random.below(count) === 0;
  }
}

const EDITS = Array.from('{}[]",:\\ue0-+.19tfn/ \n\t\u0000\u007fé🚀');

function damaged(random: Random, body: Buffer): Buffer {
  const at = random.below(body.length);
  const head = body.subarray(0, at);
  switch (random.below(10)) {
    case 0:
      return Buffer.concat([head, Buffer.of(random.below(256)), body.subarray(at + 1)]);
    case 1:
      return head;
    case 2:
    case 3:
      return Buffer.concat([
        head,
        Buffer.from(random.pick(EDITS)),
        body.subarray(at + random.below(2)),
      ]);
    case 4:
      return Buffer.concat([head, body.subarray(at + 1 + random.below(3))]);
    default:
      return body;
  }
}
