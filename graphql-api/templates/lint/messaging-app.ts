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
/** After so many lines the app folds a marketing message behind "Read more". */
const LINES_SHOWN = 5;

/** The messaging app's components, as its documentation limits them. */
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
  return [block('CATEGORY_REQUIRED', 'category', 'Say marketing, utility or authentication.')];
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
      warn('BODY_FILLED_TOO_LONG', 'body', 'Filled with its samples, the text is too long.', {
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
      warn('VARIABLE_AT_EDGE', 'body', 'Reviewers refuse a text that begins or ends with a value.'),
    );
  if (tokens.some((token, at) => isVariable(token) && isVariable(tokens[at + 1])))
    findings.push(
      warn('VARIABLES_TOUCH', 'body', 'Reviewers refuse two values with nothing between them.'),
    );
  const words = tokens
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => text.split(/\s+/).filter(Boolean)).length;
  const variables = tokens.filter(isVariable).length;
  if (variables > 0 && words < 2 * variables + 1)
    findings.push(
      warn(
        'VARIABLES_DENSE',
        'body',
        'Reviewers refuse too many values for the words around them.',
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
      : [block('HEADER_URL_INVALID', 'header.url', 'Media need an https address.')];
  }
  const { text } = header;
  const variables = tokensOf(text).filter(({ kind }) => kind === 'variable').length;
  const path = 'header.text';
  return [
    ...(text.trim() === '' ? [block('HEADER_EMPTY', path, 'The header has no text.')] : []),
    ...atMost(HEADER_CHARACTERS_MAX, charactersOf(text), 'HEADER_TOO_LONG', path, 'Characters'),
    ...atMost(HEADER_VARIABLES_MAX, variables, 'HEADER_VARIABLES', path, 'Values'),
    ...(/[*_~`\n]/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''))
      ? [warn('HEADER_MARKUP', path, 'A header shows no formatting and has one line.')]
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
    findings.push(block('FOOTER_VARIABLES', 'footer', 'A footer has no values.'));
  return findings;
}

/** Either numbers from 1 without gaps, or names. */
function lintNames({ variables }: Linted): Finding[] {
  const positions = variables.map(({ name }) => Number(name)).filter(Number.isInteger);
  if (positions.length === 0) return [];
  if (positions.length < variables.length)
    return [block('VARIABLES_MIXED', 'body', 'Name all values, or number all of them.')];
  const isSequence = positions.toSorted((a, b) => a - b).every((n, index) => n === index + 1);
  return isSequence
    ? []
    : [block('VARIABLES_GAP', 'body', 'Numbered values go up from {{1}} without a gap.')];
}

const SHORTENERS = /\b(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|ow\.ly|cutt\.ly|rb\.gy)\//i;
const OPT_OUT = /\b(?:stop|unsubscribe|opt[ -]?out)\b/i;

function lintTone({ body, footer, category, buttons, variables }: Linted): Finding[] {
  const findings: Finding[] = [];
  const texts = [body, footer ?? '', ...buttons.map(({ text, url }) => `${text} ${url ?? ''}`)];
  const all = texts.join('\n');
  if (SHORTENERS.test(all))
    findings.push(warn('URL_SHORTENER', 'body', 'Reviewers refuse shortened addresses.'));
  if (category === 'marketing') {
    if (!OPT_OUT.test(all))
      findings.push(warn('OPT_OUT_MISSING', 'body', 'Say how to get no more of these.'));
    const lines = body.split('\n').length;
    if (lines > LINES_SHOWN)
      findings.push(
        warn('BODY_FOLDED', 'body', 'The app hides what comes after the first lines.', {
          limit: LINES_SHOWN,
          actual: lines,
        }),
      );
  }
  for (const { name, sample } of variables)
    if (sample === '' || /[\n\r\t]| {5,}/.test(sample))
      findings.push(
        warn('SAMPLE_UNUSABLE', `variables.${name}`, 'A value has one line, and is not empty.'),
      );
  return findings;
}
