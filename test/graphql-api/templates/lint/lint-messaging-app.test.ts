// Each limit of the messaging app, at its maximum and one above it.

import { describe, expect, test } from 'vitest';
import { BUTTONS_MAX_BY_TYPE } from '../../../../graphql-api/templates/lint/buttons.ts';
import { blocking, type Given, link, lint, reply, warnings } from '../scene.ts';

const app = (given: Given) => blocking('messaging_app', given);
const warned = (given: Given) => warnings('messaging_app', given);
const text = (line: string) => ({ type: 'text', text: line }) as const;

type Limit = readonly [code: string, path: string, limit: number, of: (size: number) => Given];

const LIMITS: readonly Limit[] = [
  ['BODY_TOO_LONG', 'body', 1024, size => ({ body: 'x'.repeat(size) })],
  ['HEADER_TOO_LONG', 'header.text', 60, size => ({ header: text('x'.repeat(size)) })],
  ['FOOTER_TOO_LONG', 'footer', 60, size => ({ footer: 'x'.repeat(size) })],
  ['BUTTON_TEXT_TOO_LONG', 'buttons.0.text', 25, size => ({ buttons: [reply('x'.repeat(size))] })],
  [
    'BUTTON_URL_TOO_LONG',
    'buttons.0.url',
    2000,
    size => ({ buttons: [link('https://example.com/'.padEnd(size, 'x'))] }),
  ],
  [
    'BUTTON_PHONE_TOO_LONG',
    'buttons.0.phone_number',
    20,
    size => ({ buttons: [{ type: 'phone', text: 'Call', phoneNumber: '1'.repeat(size) }] }),
  ],
  [
    'BUTTON_CODE_TOO_LONG',
    'buttons.0.code',
    15,
    size => ({
      category: 'marketing',
      buttons: [{ type: 'copy_code', text: 'Copy', code: 'x'.repeat(size) }],
    }),
  ],
  ['BUTTONS_TOO_MANY_URL', 'buttons', 2, size => ({ buttons: Array(size).fill(link()) })],
  [
    'BUTTONS_TOO_MANY_PHONE',
    'buttons',
    1,
    size => ({
      buttons: Array(size).fill({ type: 'phone', text: 'Call', phoneNumber: '+911234' }),
    }),
  ],
  [
    'HEADER_VARIABLES',
    'header.text',
    1,
    size => ({ header: text(['{{a}}', '{{b}}'].slice(0, size).join(' and ')) }),
  ],
  [
    'BUTTON_URL_VARIABLES',
    'buttons.0.url',
    1,
    size => ({
      buttons: [link(`https://example.com/${['{{a}}', '{{b}}'].slice(0, size).join('')}`)],
    }),
  ],
];

describe('limits', () => {
  test.for(LIMITS)('%s at %s: %i is accepted, one more is not', ([code, path, limit, given]) => {
    expect(app(given(limit))).toEqual([]);
    expect(lint('messaging_app', given(limit + 1))).toContainEqual(
      expect.objectContaining({ code, path, limit, actual: limit + 1, severity: 'block' }),
    );
  });

  test('ten buttons in all, each type within its own', () => {
    expect(BUTTONS_MAX_BY_TYPE.quick_reply).toBe(10);
    expect(app({ buttons: Array(10).fill(reply()) })).toEqual([]);
    expect(app({ buttons: Array(11).fill(reply()) })).toEqual([
      'BUTTONS_TOO_MANY',
      'BUTTONS_TOO_MANY_QUICK_REPLY',
    ]);
    expect(app({ buttons: [...Array(9).fill(reply()), link(), link()] })).toEqual([
      'BUTTONS_TOO_MANY',
    ]);
  });

  test('characters are counted as people perceive them', () => {
    expect(app({ footer: '🎉'.repeat(60) })).toEqual([]);
    expect(app({ footer: '🎉'.repeat(61) })).toEqual(['FOOTER_TOO_LONG']);
  });
});

describe('refused content', () => {
  test('a missing text or category', () => {
    expect(app({ body: ' \n' })).toEqual(['BODY_REQUIRED']);
    expect(app({ category: null })).toEqual(['CATEGORY_REQUIRED']);
  });

  test('quick replies among other buttons', () => {
    expect(app({ buttons: [reply(), link()] })).toEqual([]);
    expect(app({ buttons: [link(), reply()] })).toEqual([]);
    expect(app({ buttons: [reply(), link(), reply()] })).toEqual(['BUTTONS_INTERLEAVED']);
  });

  test('a placeholder inside a URL', () => {
    expect(app({ buttons: [link('https://example.com/{{id}}')] })).toEqual([]);
    expect(app({ buttons: [link('https://example.com/{{id}}/x')] })).toEqual([
      'BUTTON_URL_VARIABLE_INSIDE',
    ]);
  });

  test('an invalid URL, an invalid number, or a button without a text', () => {
    expect(app({ buttons: [link('example.com')] })).toEqual(['BUTTON_URL_INVALID']);
    expect(app({ buttons: [{ type: 'phone', text: 'Call', phoneNumber: 'me' }] })).toEqual([
      'BUTTON_PHONE_INVALID',
    ]);
    expect(app({ buttons: [reply(' ')] })).toEqual(['BUTTON_TEXT_EMPTY']);
  });

  test('a footer with a placeholder', () => {
    expect(app({ footer: 'For {{name}}' })).toEqual(['FOOTER_VARIABLES']);
  });

  test('a media header without an https URL', () => {
    expect(app({ header: { type: 'image', url: 'https://example.com/a.png' } })).toEqual([]);
    expect(app({ header: { type: 'image', url: 'http://example.com/a.png' } })).toEqual([
      'HEADER_URL_INVALID',
    ]);
  });

  test('buttons other than otp in authentication', () => {
    const otp = { type: 'otp', text: 'Copy' } as const;
    expect(app({ category: 'authentication', buttons: [otp] })).toEqual([]);
    expect(app({ category: 'authentication', buttons: [otp, otp] })).toEqual([
      'BUTTONS_TOO_MANY_OTP',
    ]);
    expect(app({ category: 'authentication', buttons: [link()] })).toEqual([
      'BUTTONS_OF_AUTHENTICATION',
    ]);
    expect(app({ buttons: [otp] })).toEqual(['OTP_BUTTON_NOT_ALLOWED']);
  });

  test('numbers with a gap, numbers together with names, or braces that are not a placeholder', () => {
    expect(app({ body: 'Hi {{1}} and {{2}} there' })).toEqual([]);
    expect(app({ body: 'Hi {{1}} and {{3}} there' })).toEqual(['VARIABLES_GAP']);
    expect(app({ body: 'Hi {{1}} and {{name}} there' })).toEqual(['VARIABLES_MIXED']);
    expect(app({ body: 'Hi {{#}} there' })).toEqual(['PLACEHOLDER_BROKEN']);
    expect(app({ body: 'Hi {{name there' })).toEqual(['PLACEHOLDER_BROKEN']);
  });
});

describe('possible problems only cause warnings', () => {
  test.for([
    ['VARIABLE_AT_EDGE', { body: 'This order is for you, {{name}}' }],
    ['VARIABLES_TOUCH', { body: 'All of this is now for {{first}}{{last}} and nobody else' }],
    ['VARIABLES_DENSE', { body: 'Hi {{a}} and {{b}} there' }],
    ['URL_SHORTENER', { body: 'Look at https://bit.ly/abc for more.' }],
    ['OPT_OUT_MISSING', { category: 'marketing' }],
    ['BODY_FOLDED', { category: 'marketing', body: 'a\nb\nc\nd\ne\nf, reply STOP' }],
    ['HEADER_MARKUP', { header: { type: 'text', text: '*Bold*' } }],
    ['COPY_CODE_IS_MARKETING', { buttons: [{ type: 'copy_code', text: 'Copy', code: 'A' }] }],
    ['OTP_BUTTON_MISSING', { category: 'authentication' }],
    ['SAMPLE_UNUSABLE', { body: 'It is for {{name}} now, as it was.', samples: { name: 'a\nb' } }],
    [
      'BODY_FILLED_TOO_LONG',
      { body: `${'x'.repeat(1000)} {{name}}.`, samples: { name: 'y'.repeat(40) } },
    ],
  ] as const satisfies readonly (readonly [string, Given])[])('%s', ([code, given]) => {
    expect(warned(given)).toContain(code);
    expect(app(given)).toEqual([]);
  });

  test('valid content has no findings', () => {
    const body = 'Hello {{name}}, your order {{order}} is on its way and comes tomorrow.';
    expect(lint('messaging_app', { body, buttons: [link(), link()] })).toEqual([]);
  });
});
