import { describe, expect, test } from 'vitest';
import { HTML_BYTES_MAX, htmlBytes } from '../../../../graphql-api/templates/lint/email.ts';
import { worstCaseSize } from '../../../../graphql-api/templates/lint/sms.ts';
import { smsSize } from '../../../../graphql-api/templates/lint/sms-segments.ts';
import { blocking, lint, versionOf, warnings } from '../scene.ts';

describe('the number of segments of a text', () => {
  test.for([
    ['GSM-7, one', 'x'.repeat(160), 'GSM_7', 1],
    ['GSM-7, two', 'x'.repeat(161), 'GSM_7', 2],
    ['GSM-7, two full parts', 'x'.repeat(306), 'GSM_7', 2],
    ['GSM-7, three', 'x'.repeat(307), 'GSM_7', 3],
    ['two septets each', '€'.repeat(80), 'GSM_7', 1],
    ['two septets each, one more', '€'.repeat(81), 'GSM_7', 2],
    ['an escape pair is not split', `${'x'.repeat(152)}${'€'.repeat(77)}`, 'GSM_7', 3],
    ['UCS-2, one', 'अ'.repeat(70), 'UCS_2', 1],
    ['UCS-2, two', 'अ'.repeat(71), 'UCS_2', 2],
    ['UCS-2, two full parts', 'अ'.repeat(134), 'UCS_2', 2],
    ['UCS-2, three', 'अ'.repeat(135), 'UCS_2', 3],
    ['one emoji makes all of it UCS-2', `${'x'.repeat(69)}🎉`, 'UCS_2', 2],
    ['a surrogate pair is not split', `${'x'.repeat(66)}${'🎉'.repeat(34)}`, 'UCS_2', 3],
  ] as const)('%s', ([, text, encoding, segments]) => {
    expect(smsSize(text)).toMatchObject({ encoding, segments });
  });

  test('values count with their maximum length', () => {
    const body = `${'x'.repeat(130)}{#var#}`;
    expect(worstCaseSize(versionOf('sms', { body }))).toEqual({
      encoding: 'GSM_7',
      units: 160,
      segments: 1,
    });
    expect(worstCaseSize(versionOf('sms', { body: `x${body}` })).segments).toBe(2);
  });

  test('a value whose sample requires UCS-2 makes the whole text UCS-2', () => {
    const version = versionOf('sms', { body: 'Hello {{name}}', samples: { name: 'आशा' } });
    expect(worstCaseSize(version)).toMatchObject({ encoding: 'UCS_2', units: 36 });
  });

  test('a long sample counts with its actual length', () => {
    const body = 'Hello {{name}}';
    const units = (name: string) =>
      worstCaseSize(versionOf('sms', { body, samples: { name } })).units;
    expect([units('€'.repeat(20)), units('🎉'.repeat(20))]).toEqual([6 + 40, 6 + 40]);
  });
});

describe('an SMS', () => {
  test('can have ten segments, but not eleven', () => {
    expect(blocking('sms', { body: 'x'.repeat(1530) })).toEqual([]);
    expect(lint('sms', { body: 'x'.repeat(1531) })).toContainEqual(
      expect.objectContaining({ code: 'TOO_MANY_SEGMENTS', limit: 10, actual: 11 }),
    );
  });

  test('has neither buttons nor footer nor media', () => {
    expect(
      blocking('sms', {
        header: { type: 'image', url: 'https://example.com/a.png' },
        footer: 'x',
        buttons: [{ type: 'quick_reply', text: 'Yes' }],
      }),
    ).toEqual(['HEADER_NOT_SUPPORTED', 'FOOTER_NOT_SUPPORTED', 'BUTTONS_NOT_SUPPORTED']);
  });

  test('has a sender of three to eleven characters, in India of six', () => {
    const sender = (text: string) => ({
      category: 'promotional',
      header: { type: 'text', text } as const,
    });
    expect(blocking('sms', sender('TECHTO'))).toEqual([]);
    expect(warnings('sms', sender('TECHTO'))).toEqual([]);
    expect(warnings('sms', sender('SHOP'))).toContain('SENDER_UNREGISTERED');
    expect(blocking('sms', sender('x'.repeat(11)))).toEqual([]);
    expect(blocking('sms', sender('x'.repeat(12)))).toEqual(['SENDER_INVALID']);
    expect(warnings('sms')).toContain('SENDER_MISSING');
  });

  test('has registered ids of 12 to 19 digits', () => {
    const registered = (dltTemplateId: string) => ({ extras: { dltTemplateId } });
    expect(blocking('sms', registered('1'.repeat(12)))).toEqual([]);
    expect(blocking('sms', registered('1'.repeat(19)))).toEqual([]);
    expect(blocking('sms', registered('1'.repeat(11)))).toEqual(['DLT_TEMPLATE_ID_INVALID']);
    expect(blocking('sms', registered('1'.repeat(20)))).toEqual(['DLT_TEMPLATE_ID_INVALID']);
    expect(blocking('sms', { extras: { dltEntityId: 'x' } })).toEqual(['DLT_ENTITY_ID_INVALID']);
  });

  test('must have exactly the registered placeholders', () => {
    expect(blocking('sms', { body: 'Your code is {#numeric#}, and {#var#}.' })).toEqual([]);
    for (const wrong of ['{#VAR#}', '{#var1#}', '{# var #}', '{#var'])
      expect(blocking('sms', { body: `Your code is ${wrong}.` }), wrong).toEqual([
        'PLACEHOLDER_BROKEN',
      ]);
  });

  test('warns of values of more than 30 characters and of more than five values', () => {
    const long = (size: number) => ({ body: 'Hi {{name}}!', samples: { name: 'x'.repeat(size) } });
    expect(warnings('sms', long(30))).not.toContain('VALUE_TOO_LONG');
    expect(warnings('sms', long(31))).toContain('VALUE_TOO_LONG');
    expect(warnings('sms', { body: '{#var#} '.repeat(5) })).not.toContain('MANY_VARIABLES');
    expect(warnings('sms', { body: '{#var#} '.repeat(6) })).toContain('MANY_VARIABLES');
  });

  test.for([
    ['DOUBLE_SPACE', { body: 'Hello  there' }],
    ['ANGLE_BRACKETS', { body: 'Hello <there>' }],
    ['LINK_UNREGISTERED', { body: 'See https://example.com' }],
    ['TYPOGRAPHIC_CHARACTERS', { body: 'It’s here' }],
    ['ENCODING_FLIPS', { body: 'Hello {{name}}', samples: { name: 'Zoë “Z”' } }],
    ['VARIABLE_EXPECTED', { category: 'transactional' }],
  ] as const)('warns: %s', ([code, given]) => {
    expect(warnings('sms', given)).toContain(code);
    expect(blocking('sms', given)).toEqual([]);
  });
});

describe('an email', () => {
  const subject = (text: string) => ({ header: { type: 'text', text } as const });

  test('can have 102 KB of HTML, but not one more byte', () => {
    expect(blocking('email', { body: 'x'.repeat(HTML_BYTES_MAX) })).toEqual([]);
    expect(lint('email', { body: 'x'.repeat(HTML_BYTES_MAX + 1) })).toContainEqual(
      expect.objectContaining({
        code: 'HTML_TOO_LARGE',
        limit: 104_448,
        actual: 104_449,
        severity: 'block',
      }),
    );
  });

  test('is measured in bytes, with links as they will be sent', () => {
    expect(htmlBytes('é')).toBe(2);
    expect(htmlBytes('<a href="x">y</a>')).toBe(17 + 120);
    expect(warnings('email', { body: 'x'.repeat(90 * 1024) })).not.toContain('HTML_LARGE');
    expect(warnings('email', { body: 'x'.repeat(90 * 1024 + 1) })).toContain('HTML_LARGE');
  });

  test('can have a subject of 998 characters, but not more; more than 60 cause a warning', () => {
    expect(blocking('email', subject('x'.repeat(998)))).toEqual([]);
    expect(blocking('email', subject('x'.repeat(999)))).toEqual(['SUBJECT_TOO_LONG']);
    expect(warnings('email', subject('x'.repeat(60)))).not.toContain('SUBJECT_LONG');
    expect(warnings('email', subject('x'.repeat(61)))).toContain('SUBJECT_LONG');
    expect(warnings('email')).toContain('SUBJECT_MISSING');
  });

  test('cannot have a link that runs a script; a link without https causes a warning', () => {
    expect(blocking('email', { body: '<a href="javascript:x()">y</a>' })).toEqual(['SCRIPT_LINK']);
    expect(warnings('email', { body: '<a href="http://example.com">y</a>' })).toContain(
      'INSECURE_LINK',
    );
  });

  test.for([' href=', '<img '])(
    'is checked in linear time, regardless of the text after%s',
    piece => {
      const body = `${piece.repeat(10_000)}${' '.repeat(150_000)}`;
      expect(blocking('email', { body })).toEqual(['HTML_TOO_LARGE']);
    },
  );

  test('can have nested styles, which are not placeholders', () => {
    expect(blocking('email', { body: '<style>@media x{a{b:c}}</style>Hi {{name}}' })).toEqual([]);
  });

  test('valid content has no findings', () => {
    const body = '<p>Hi {{name}} <img src="https://e.com/a.png" alt="A"> Unsubscribe</p>';
    const extras = { preheader: 'Soon', plainText: 'Hi {{name}}' };
    expect(lint('email', { category: 'marketing', body, extras, ...subject('Soon') })).toEqual([]);
  });
});
