import { type Token, tokensOf } from '../placeholders.ts';
import { renderTemplate } from '../render.ts';
import { samplesOf } from '../variables.ts';
import { lintButtons } from './buttons.ts';
import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';

export const BODY_CHARACTERS_MAX = 1024;
export const HEADER_CHARACTERS_MAX = 60;
export const FOOTER_CHARACTERS_MAX = 60;
export const HEADER_VARIABLES_MAX = 1;
/** The app collapses longer marketing messages behind "Read more". */
const LINES_SHOWN = 5;

/** Checks the message components against the limits in the messaging app's documentation. */
export function lintMessagingApp(version: Linted): Finding[] {
  return [
    ...lintCategory(version),
    ...lintBody(version),
    ...lintHeader(version),
    ...lintFooter(version),
    ...lintButtons(version),
    ...lintNames(version),
    ...lintTone(version),
  ];
}

function lintCategory({ category }: Linted): Finding[] {
  if (category !== null) return [];
  return [block('CATEGORY_REQUIRED', 'category', 'Choose marketing, utility or authentication.')];
}

function lintBody(version: Linted): Finding[] {
  const { body } = version;
  const length = charactersOf(body);
  const findings = atMost(BODY_CHARACTERS_MAX, length, 'BODY_TOO_LONG', 'body', 'Characters');
  const filled = charactersOf(
    renderTemplate(version, 'messaging_app', samplesOf(version.variables)).body,
  );
  if (length <= BODY_CHARACTERS_MAX && filled > BODY_CHARACTERS_MAX)
    findings.push(
      warn('BODY_FILLED_TOO_LONG', 'body', 'The body is too long when filled with its samples.', {
        limit: BODY_CHARACTERS_MAX,
        actual: filled,
      }),
    );
  return [...findings, ...lintPlacement(tokensOf(body))];
}

function lintPlacement(tokens: readonly Token[]): Finding[] {
  const findings: Finding[] = [];
  const isVariable = (token: Token | undefined) => token?.kind === 'variable';
  if (isVariable(tokens[0]) || isVariable(tokens.at(-1)))
    findings.push(
      warn(
        'VARIABLE_AT_EDGE',
        'body',
        'Approvers reject a body that begins or ends with a placeholder.',
      ),
    );
  if (tokens.some((token, at) => isVariable(token) && isVariable(tokens[at + 1])))
    findings.push(warn('VARIABLES_TOUCH', 'body', 'Approvers reject adjacent placeholders.'));
  const words = tokens
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => text.split(/\s+/).filter(Boolean)).length;
  const variables = tokens.filter(isVariable).length;
  if (variables > 0 && words < 2 * variables + 1)
    findings.push(
      warn(
        'VARIABLES_DENSE',
        'body',
        'Approvers reject a body with too many placeholders for its number of words.',
        {
          limit: Math.floor((words - 1) / 2),
          actual: variables,
        },
      ),
    );
  return findings;
}

function lintHeader({ header }: Linted): Finding[] {
  if (header === null) return [];
  if (header.type !== 'text') {
    return /^https:\/\/\S+$/.test(header.url)
      ? []
      : [block('HEADER_URL_INVALID', 'header.url', 'The media URL must be an https URL.')];
  }
  const { text } = header;
  const variables = tokensOf(text).filter(({ kind }) => kind === 'variable').length;
  const path = 'header.text';
  return [
    ...(text.trim() === '' ? [block('HEADER_EMPTY', path, 'The header text is required.')] : []),
    ...atMost(HEADER_CHARACTERS_MAX, charactersOf(text), 'HEADER_TOO_LONG', path, 'Characters'),
    ...atMost(HEADER_VARIABLES_MAX, variables, 'HEADER_VARIABLES', path, 'Placeholders'),
    ...(/[*_~`\n]/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''))
      ? [warn('HEADER_MARKUP', path, 'A header has one line and cannot be formatted.')]
      : []),
  ];
}

function lintFooter({ footer }: Linted): Finding[] {
  if (footer === null) return [];
  const findings = atMost(
    FOOTER_CHARACTERS_MAX,
    charactersOf(footer),
    'FOOTER_TOO_LONG',
    'footer',
    'Characters',
  );
  if (tokensOf(footer).some(({ kind }) => kind === 'variable'))
    findings.push(block('FOOTER_VARIABLES', 'footer', 'A footer cannot contain placeholders.'));
  return findings;
}

/** Placeholders are either numbered from 1 without gaps, or named. */
function lintNames({ variables }: Linted): Finding[] {
  const positions = variables.map(({ name }) => Number(name)).filter(Number.isInteger);
  if (positions.length === 0) return [];
  if (positions.length < variables.length)
    return [
      block('VARIABLES_MIXED', 'body', 'Either name all placeholders or number all of them.'),
    ];
  const isSequence = positions.toSorted((a, b) => a - b).every((n, index) => n === index + 1);
  return isSequence
    ? []
    : [block('VARIABLES_GAP', 'body', 'Number the placeholders from {{1}} without gaps.')];
}

const SHORTENERS = /\b(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|ow\.ly|cutt\.ly|rb\.gy)\//i;
const OPT_OUT = /\b(?:stop|unsubscribe|opt[ -]?out)\b/i;

function lintTone({ body, footer, category, buttons, variables }: Linted): Finding[] {
  const findings: Finding[] = [];
  const texts = [body, footer ?? '', ...buttons.map(({ text, url }) => `${text} ${url ?? ''}`)];
  const all = texts.join('\n');
  if (SHORTENERS.test(all))
    findings.push(warn('URL_SHORTENER', 'body', 'Approvers reject shortened URLs.'));
  if (category === 'marketing') {
    if (!OPT_OUT.test(all)) findings.push(warn('OPT_OUT_MISSING', 'body', 'Add a way to opt out.'));
    const lines = body.split('\n').length;
    if (lines > LINES_SHOWN)
      findings.push(
        warn('BODY_FOLDED', 'body', 'The app hides the text after the first lines.', {
          limit: LINES_SHOWN,
          actual: lines,
        }),
      );
  }
  for (const { name, sample } of variables)
    if (sample === '' || /[\n\r\t]| {5,}/.test(sample))
      findings.push(
        warn(
          'SAMPLE_UNUSABLE',
          `variables.${name}`,
          'A sample must be a single line and not empty.',
        ),
      );
  return findings;
}
