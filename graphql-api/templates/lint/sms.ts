import { tokensOf } from '../placeholders.ts';
import { atMost, charactersOf, type Finding, findingsOf } from './finding.ts';
import type { Linted } from './lint-template.ts';
import { isGsm7, type SmsSize, smsSize } from './sms-segments.ts';

/** The most segments that carriers join. */
const SEGMENTS_MAX = 10;
/**
 * The limit of a value in a text registered in India. A longer value needs a second placeholder.
 */
const VALUE_CHARACTERS_MAX = 30;
/** The limits of operators differ: from four to six up to no limit. */
const REGISTERED_VARIABLES_USUAL = 5;
const REGISTERED_SENDER = /^[A-Za-z0-9]{6}$/;
const SENDER = /^(?:[A-Za-z0-9]{3,11}|\+?[0-9]{3,15})$/;
const REGISTERED_TEMPLATE_ID = /^[0-9]{12,19}$/;
const REGISTERED_ENTITY_ID = /^[0-9]{10,19}$/;

const found = findingsOf({
  block: {
    HEADER_NOT_SUPPORTED: 'An SMS cannot have media; its header is the sender ID.',
    FOOTER_NOT_SUPPORTED: 'An SMS cannot have a footer.',
    BUTTONS_NOT_SUPPORTED: 'An SMS cannot have buttons.',
    SENDER_INVALID:
      'A sender ID must have 3 to 11 letters and digits, or be a number of 3 to 15 digits.',
    DLT_TEMPLATE_ID_INVALID: 'The template ID must have 12 to 19 digits.',
    DLT_ENTITY_ID_INVALID: 'The entity ID must have 10 to 19 digits.',
  },
  warn: {
    ENCODING_FLIPS:
      'A sample contains a character that reduces the segment length by more than half.',
    TYPOGRAPHIC_CHARACTERS:
      'Curly quotes or long dashes reduce the segment length by more than half.',
    SENDER_MISSING: 'Add the registered sender ID as the header.',
    SENDER_UNREGISTERED: 'In India, a sender ID has six letters or digits.',
    DOUBLE_SPACE: 'Registered texts cannot contain consecutive spaces.',
    ANGLE_BRACKETS: 'Registered texts cannot contain < or >.',
    LINK_UNREGISTERED:
      'In India, a message with a URL is delivered only if the URL is whitelisted.',
    MANY_VARIABLES: 'Some operators do not register texts with this many placeholders.',
    VARIABLE_EXPECTED: 'Texts that are not promotional should have a placeholder.',
    VALUE_TOO_LONG: `A value can have at most ${VALUE_CHARACTERS_MAX} characters. Use two placeholders for longer values.`,
  },
});

export function lintSms(version: Linted): Finding[] {
  const { header, footer, buttons } = version;
  return [
    ...found(header !== null && header.type !== 'text', 'HEADER_NOT_SUPPORTED', 'header'),
    ...found(footer !== null, 'FOOTER_NOT_SUPPORTED', 'footer'),
    ...found(buttons.length > 0, 'BUTTONS_NOT_SUPPORTED', 'buttons'),
    ...lintSize(version),
    ...lintRegistration(version),
    ...lintRegisteredText(version),
  ];
}

/** The size if each value has its maximum length, in the encoding that its sample requires. */
export function worstCaseSize({ body, variables }: Pick<Linted, 'body' | 'variables'>): SmsSize {
  const samples = new Map(variables.map(({ name, sample }) => [name, sample]));
  const filled = tokensOf(body, 'sms')
    .map(token => {
      if (token.kind !== 'variable') return token.text;
      const sample = samples.get(token.name) ?? '';
      // A character of the sample may need two units.
      const length = Math.max(VALUE_CHARACTERS_MAX, smsSize(sample).units);
      return (isPlain(sample) ? 'x' : 'अ').repeat(length);
    })
    .join('');
  return smsSize(filled);
}

function isPlain(text: string): boolean {
  return Array.from(text).every(isGsm7);
}

function lintSize(version: Linted): Finding[] {
  const { segments, encoding } = worstCaseSize(version);
  const what = 'Segments with values of maximum length';
  const isFixedPlain = isPlain(fixedTextOf(version.body));
  const isTypographic = !isFixedPlain && isPlain(straightened(version.body));
  return [
    ...atMost(SEGMENTS_MAX, segments, 'TOO_MANY_SEGMENTS', 'body', what),
    ...found(isFixedPlain && encoding === 'UCS_2', 'ENCODING_FLIPS', 'variables'),
    ...found(isTypographic, 'TYPOGRAPHIC_CHARACTERS', 'body'),
  ];
}

/** The text without its placeholders. */
function fixedTextOf(body: string): string {
  const tokens = tokensOf(body, 'sms').filter(({ kind }) => kind === 'text');
  return tokens.map(({ text }) => text).join('');
}

/** Reverts the typographic quotes, dashes and dots that word processors insert. */
function straightened(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2013\u2014]/g, '-')
    .replaceAll('\u2026', '...')
    .replaceAll('\u00a0', ' ');
}

function lintRegistration({ header, extras }: Linted): Finding[] {
  const { dltTemplateId, dltEntityId } = extras;
  const isTemplateIdValid =
    dltTemplateId === undefined || REGISTERED_TEMPLATE_ID.test(dltTemplateId);
  const isEntityIdValid = dltEntityId === undefined || REGISTERED_ENTITY_ID.test(dltEntityId);
  return [
    ...lintSender(header?.type === 'text' ? header.text : ''),
    ...found(!isTemplateIdValid, 'DLT_TEMPLATE_ID_INVALID', 'dltTemplateId'),
    ...found(!isEntityIdValid, 'DLT_ENTITY_ID_INVALID', 'dltEntityId'),
  ];
}

function lintSender(sender: string): Finding[] {
  if (sender === '') return found(true, 'SENDER_MISSING', 'header');
  if (!SENDER.test(sender)) return found(true, 'SENDER_INVALID', 'header.text');
  return found(!REGISTERED_SENDER.test(sender), 'SENDER_UNREGISTERED', 'header.text');
}

/** Rules that most operators in India apply when they register a text. */
function lintRegisteredText({ body, category, variables }: Linted): Finding[] {
  const fixed = fixedTextOf(body);
  const facts = { limit: REGISTERED_VARIABLES_USUAL, actual: variables.length };
  const isPromotional = category === null || category === 'promotional';
  return [
    ...found(/ {2}/.test(body), 'DOUBLE_SPACE', 'body'),
    ...found(/[<>]/.test(fixed), 'ANGLE_BRACKETS', 'body'),
    ...found(/https?:\/\/|www\./i.test(fixed), 'LINK_UNREGISTERED', 'body'),
    ...found(variables.length > REGISTERED_VARIABLES_USUAL, 'MANY_VARIABLES', 'body', facts),
    ...found(variables.length === 0 && !isPromotional, 'VARIABLE_EXPECTED', 'body'),
    ...variables.flatMap(({ name, sample }) => {
      const limits = { limit: VALUE_CHARACTERS_MAX, actual: charactersOf(sample) };
      const isTooLong = limits.actual > VALUE_CHARACTERS_MAX;
      return found(isTooLong, 'VALUE_TOO_LONG', `variables.${name}`, limits);
    }),
  ];
}
