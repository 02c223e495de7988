import { type Token, tokensOf } from '../placeholders.ts';
import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';
import { isGsm7, type SmsSize, smsSize } from './sms-segments.ts';

/** What carriers join at most. */
export const SEGMENTS_MAX = 10;
/** Of a value, by the rules of registered texts in India; what is longer needs a second value. */
export const VALUE_CHARACTERS_MAX = 30;
/** Operators differ: four to six, or any number. */
const REGISTERED_VARIABLES_USUAL = 5;
const REGISTERED_SENDER = /^[A-Za-z0-9]{6}$/;
const SENDER = /^(?:[A-Za-z0-9]{3,11}|\+?[0-9]{3,15})$/;
const REGISTERED_TEMPLATE_ID = /^[0-9]{12,19}$/;
const REGISTERED_ENTITY_ID = /^[0-9]{10,19}$/;

export function lintSms(version: Linted): Finding[] {
  return [
    ...lintComponents(version),
    ...lintSize(version),
    ...lintRegistration(version),
    ...lintRegisteredText(version),
  ];
}

/** The text with every value as long as it may be, in the encoding that its sample needs. */
export function worstCaseSize({ body, variables }: Pick<Linted, 'body' | 'variables'>): SmsSize {
  const samples = new Map(variables.map(({ name, sample }) => [name, sample]));
  const filled = tokensOf(body, 'sms')
    .map(token => {
      if (token.kind !== 'variable') return token.text;
      const sample = samples.get(token.name) ?? '';
      // A sample may need two units for a character.
      const length = Math.max(VALUE_CHARACTERS_MAX, smsSize(sample).units);
      return (isPlain(sample) ? 'x' : 'अ').repeat(length);
    })
    .join('');
  return smsSize(filled);
}

function isPlain(text: string): boolean {
  return Array.from(text).every(isGsm7);
}

function lintComponents({ header, footer, buttons }: Linted): Finding[] {
  return [
    ...(header !== null && header.type !== 'text'
      ? [block('HEADER_NOT_SUPPORTED', 'header', 'An SMS has no media; its header is the sender.')]
      : []),
    ...(footer !== null ? [block('FOOTER_NOT_SUPPORTED', 'footer', 'An SMS has no footer.')] : []),
    ...(buttons.length > 0
      ? [block('BUTTONS_NOT_SUPPORTED', 'buttons', 'An SMS has no buttons.')]
      : []),
  ];
}

function lintSize(version: Linted): Finding[] {
  const size = worstCaseSize(version);
  const findings = atMost(
    SEGMENTS_MAX,
    size.segments,
    'TOO_MANY_SEGMENTS',
    'body',
    'Messages, with values as long as they may be',
  );
  const isStaticPlain = tokensOf(version.body, 'sms')
    .filter(({ kind }) => kind === 'text')
    .every(({ text }) => isPlain(text));
  if (isStaticPlain && size.encoding === 'UCS_2')
    findings.push(
      warn(
        'ENCODING_FLIPS',
        'variables',
        'A sample has a character that more than halves a message.',
      ),
    );
  if (!isStaticPlain && isPlain(straightened(version.body)))
    findings.push(
      warn(
        'TYPOGRAPHIC_CHARACTERS',
        'body',
        'Curly quotes or long dashes more than halve a message.',
      ),
    );
  return findings;
}

/** What word processors make of quotes, dashes and dots, undone. */
function straightened(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2013\u2014]/g, '-')
    .replaceAll('\u2026', '...')
    .replaceAll('\u00a0', ' ');
}

function lintRegistration({ header, extras }: Linted): Finding[] {
  const findings: Finding[] = [];
  const sender = header?.type === 'text' ? header.text : '';
  if (sender === '')
    findings.push(warn('SENDER_MISSING', 'header', 'Say the registered sender as the header.'));
  else if (!SENDER.test(sender))
    findings.push(block('SENDER_INVALID', 'header.text', 'This is no sender of an SMS.'));
  else if (!REGISTERED_SENDER.test(sender))
    findings.push(warn('SENDER_UNREGISTERED', 'header.text', 'In India: six letters or digits.'));
  const { dltTemplateId, dltEntityId } = extras;
  if (dltTemplateId !== undefined && !REGISTERED_TEMPLATE_ID.test(dltTemplateId))
    findings.push(block('DLT_TEMPLATE_ID_INVALID', 'dltTemplateId', 'It has 12 to 19 digits.'));
  if (dltEntityId !== undefined && !REGISTERED_ENTITY_ID.test(dltEntityId))
    findings.push(block('DLT_ENTITY_ID_INVALID', 'dltEntityId', 'It has 10 to 19 digits.'));
  return findings;
}

/** What operators in India refuse to register, in most cases. */
function lintRegisteredText({ body, category, variables }: Linted): Finding[] {
  const fixed = tokensOf(body, 'sms')
    .filter((token): token is Token => token.kind === 'text')
    .map(({ text }) => text)
    .join('');
  const findings: Finding[] = [];
  if (/ {2}/.test(body))
    findings.push(warn('DOUBLE_SPACE', 'body', 'Registered texts have no double spaces.'));
  if (/[<>]/.test(fixed))
    findings.push(warn('ANGLE_BRACKETS', 'body', 'Registered texts have neither < nor >.'));
  if (/https?:\/\/|www\./i.test(fixed))
    findings.push(warn('LINK_UNREGISTERED', 'body', 'Only whitelisted addresses are delivered.'));
  if (variables.length > REGISTERED_VARIABLES_USUAL)
    findings.push(
      warn('MANY_VARIABLES', 'body', 'Some operators register no text with that many values.', {
        limit: REGISTERED_VARIABLES_USUAL,
        actual: variables.length,
      }),
    );
  if (variables.length === 0 && category !== null && category !== 'promotional')
    findings.push(warn('VARIABLE_EXPECTED', 'body', 'A text that is not promotional has a value.'));
  for (const { name, sample } of variables) {
    const actual = charactersOf(sample);
    if (actual > VALUE_CHARACTERS_MAX)
      findings.push(
        warn('VALUE_TOO_LONG', `variables.${name}`, 'Longer values need a second placeholder.', {
          limit: VALUE_CHARACTERS_MAX,
          actual,
        }),
      );
  }
  return findings;
}
