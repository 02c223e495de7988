import { type Token, tokensOf } from '../placeholders.ts';
import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';
import { isGsm7, type SmsSize, smsSize } from './sms-segments.ts';

/** The most segments that carriers join. */
export const SEGMENTS_MAX = 10;
/**
 * The limit of a value in a text registered in India. A longer value needs a second placeholder.
 */
export const VALUE_CHARACTERS_MAX = 30;
/** The limits of operators differ: from four to six up to no limit. */
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

function lintComponents({ header, footer, buttons }: Linted): Finding[] {
  return [
    ...(header !== null && header.type !== 'text'
      ? [
          block(
            'HEADER_NOT_SUPPORTED',
            'header',
            'An SMS cannot have media; its header is the sender ID.',
          ),
        ]
      : []),
    ...(footer !== null
      ? [block('FOOTER_NOT_SUPPORTED', 'footer', 'An SMS cannot have a footer.')]
      : []),
    ...(buttons.length > 0
      ? [block('BUTTONS_NOT_SUPPORTED', 'buttons', 'An SMS cannot have buttons.')]
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
    'Segments with values of maximum length',
  );
  const isStaticPlain = tokensOf(version.body, 'sms')
    .filter(({ kind }) => kind === 'text')
    .every(({ text }) => isPlain(text));
  if (isStaticPlain && size.encoding === 'UCS_2')
    findings.push(
      warn(
        'ENCODING_FLIPS',
        'variables',
        'A sample contains a character that reduces the segment length by more than half.',
      ),
    );
  if (!isStaticPlain && isPlain(straightened(version.body)))
    findings.push(
      warn(
        'TYPOGRAPHIC_CHARACTERS',
        'body',
        'Curly quotes or long dashes reduce the segment length by more than half.',
      ),
    );
  return findings;
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
  const findings: Finding[] = [];
  const sender = header?.type === 'text' ? header.text : '';
  if (sender === '')
    findings.push(warn('SENDER_MISSING', 'header', 'Add the registered sender ID as the header.'));
  else if (!SENDER.test(sender))
    findings.push(block('SENDER_INVALID', 'header.text', 'The sender ID is not valid.'));
  else if (!REGISTERED_SENDER.test(sender))
    findings.push(
      warn('SENDER_UNREGISTERED', 'header.text', 'In India a sender ID has six letters or digits.'),
    );
  const { dltTemplateId, dltEntityId } = extras;
  if (dltTemplateId !== undefined && !REGISTERED_TEMPLATE_ID.test(dltTemplateId))
    findings.push(
      block(
        'DLT_TEMPLATE_ID_INVALID',
        'dltTemplateId',
        'The template ID must have 12 to 19 digits.',
      ),
    );
  if (dltEntityId !== undefined && !REGISTERED_ENTITY_ID.test(dltEntityId))
    findings.push(
      block('DLT_ENTITY_ID_INVALID', 'dltEntityId', 'The entity ID must have 10 to 19 digits.'),
    );
  return findings;
}

/** Rules that most operators in India apply when they register a text. */
function lintRegisteredText({ body, category, variables }: Linted): Finding[] {
  const fixed = tokensOf(body, 'sms')
    .filter((token): token is Token => token.kind === 'text')
    .map(({ text }) => text)
    .join('');
  const findings: Finding[] = [];
  if (/ {2}/.test(body))
    findings.push(
      warn('DOUBLE_SPACE', 'body', 'Registered texts cannot contain consecutive spaces.'),
    );
  if (/[<>]/.test(fixed))
    findings.push(warn('ANGLE_BRACKETS', 'body', 'Registered texts cannot contain < or >.'));
  if (/https?:\/\/|www\./i.test(fixed))
    findings.push(warn('LINK_UNREGISTERED', 'body', 'Only whitelisted URLs are delivered.'));
  if (variables.length > REGISTERED_VARIABLES_USUAL)
    findings.push(
      warn(
        'MANY_VARIABLES',
        'body',
        'Some operators do not register texts with this many values.',
        {
          limit: REGISTERED_VARIABLES_USUAL,
          actual: variables.length,
        },
      ),
    );
  if (variables.length === 0 && category !== null && category !== 'promotional')
    findings.push(
      warn(
        'VARIABLE_EXPECTED',
        'body',
        'Texts that are not promotional should have a placeholder.',
      ),
    );
  for (const { name, sample } of variables) {
    const actual = charactersOf(sample);
    if (actual > VALUE_CHARACTERS_MAX)
      findings.push(
        warn('VALUE_TOO_LONG', `variables.${name}`, 'Use two placeholders for longer values.', {
          limit: VALUE_CHARACTERS_MAX,
          actual,
        }),
      );
  }
  return findings;
}
