import { type Token, tokensOf } from '../placeholders.ts';
import { renderTemplate } from '../render.ts';
import { samplesOf } from '../variables.ts';
import { lintButtons } from './buttons.ts';
import { atMost, charactersAtMost, charactersOf, type Finding, findingsOf } from './finding.ts';
import type { Linted } from './lint-template.ts';

const BODY_CHARACTERS_MAX = 1024;
const HEADER_CHARACTERS_MAX = 60;
const FOOTER_CHARACTERS_MAX = 60;
const HEADER_VARIABLES_MAX = 1;
/** The app collapses longer marketing messages behind "Read more". */
const LINES_SHOWN = 5;

const found = findingsOf({
  block: {
    CATEGORY_REQUIRED: 'Choose marketing, utility or authentication.',
    HEADER_URL_INVALID: 'The media URL must be an https URL.',
    HEADER_EMPTY: 'The header text is required.',
    FOOTER_VARIABLES: 'A footer cannot contain placeholders.',
    VARIABLES_MIXED: 'Either name all placeholders or number all of them.',
    VARIABLES_GAP: 'Number the placeholders from {{1}} without gaps.',
  },
  warn: {
    BODY_FILLED_TOO_LONG: 'With the sample values, the body is too long.',
    VARIABLE_AT_EDGE: 'Approvers reject a body that begins or ends with a placeholder.',
    VARIABLES_TOUCH: 'Approvers reject adjacent placeholders.',
    VARIABLES_DENSE: 'Approvers reject a body with too many placeholders for its number of words.',
    HEADER_MARKUP: 'A header has one line and cannot be formatted.',
    URL_SHORTENER: 'Approvers reject shortened URLs.',
    OPT_OUT_MISSING: 'Add a way to opt out.',
    BODY_FOLDED: 'The app hides the text after the first few lines.',
    SAMPLE_UNUSABLE: 'A sample must be one line and must not be empty.',
  },
});

/** Checks the message components against the limits in the messaging app's documentation. */
export function lintMessagingApp(version: Linted): Finding[] {
  return [
    ...found(version.category === null, 'CATEGORY_REQUIRED', 'category'),
    ...lintBody(version),
    ...lintHeader(version),
    ...lintFooter(version),
    ...lintButtons(version),
    ...lintNames(version),
    ...lintTone(version),
  ];
}

function lintBody(version: Linted): Finding[] {
  const { body, variables } = version;
  const filled = renderTemplate(version, 'messaging_app', samplesOf(variables)).body;
  const facts = { limit: BODY_CHARACTERS_MAX, actual: charactersOf(filled) };
  const isFilledTooLong =
    charactersOf(body) <= BODY_CHARACTERS_MAX && facts.actual > BODY_CHARACTERS_MAX;
  return [
    ...charactersAtMost(BODY_CHARACTERS_MAX, body, 'BODY_TOO_LONG', 'body'),
    ...found(isFilledTooLong, 'BODY_FILLED_TOO_LONG', 'body', facts),
    ...lintPlacement(tokensOf(body)),
  ];
}

function lintPlacement(tokens: readonly Token[]): Finding[] {
  const isVariable = (token: Token | undefined) => token?.kind === 'variable';
  const isAtEdge = isVariable(tokens[0]) || isVariable(tokens.at(-1));
  const isTouching = tokens.some((token, at) => isVariable(token) && isVariable(tokens[at + 1]));
  const words = tokens
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => text.split(/\s+/).filter(Boolean)).length;
  const actual = tokens.filter(isVariable).length;
  const isDense = actual > 0 && words < 2 * actual + 1;
  const limit = Math.floor((words - 1) / 2);
  return [
    ...found(isAtEdge, 'VARIABLE_AT_EDGE', 'body'),
    ...found(isTouching, 'VARIABLES_TOUCH', 'body'),
    ...found(isDense, 'VARIABLES_DENSE', 'body', { limit, actual }),
  ];
}

function lintHeader({ header }: Linted): Finding[] {
  if (header === null) return [];
  if (header.type !== 'text')
    return found(!/^https:\/\/\S+$/.test(header.url), 'HEADER_URL_INVALID', 'header.url');
  const { text } = header;
  const variables = tokensOf(text).filter(({ kind }) => kind === 'variable').length;
  const hasMarkup = /[*_~`\n]/.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));
  const path = 'header.text';
  return [
    ...found(text.trim() === '', 'HEADER_EMPTY', path),
    ...charactersAtMost(HEADER_CHARACTERS_MAX, text, 'HEADER_TOO_LONG', path),
    ...atMost(HEADER_VARIABLES_MAX, variables, 'HEADER_VARIABLES', path, 'Placeholders'),
    ...found(hasMarkup, 'HEADER_MARKUP', path),
  ];
}

function lintFooter({ footer }: Linted): Finding[] {
  if (footer === null) return [];
  const hasVariables = tokensOf(footer).some(({ kind }) => kind === 'variable');
  return [
    ...charactersAtMost(FOOTER_CHARACTERS_MAX, footer, 'FOOTER_TOO_LONG', 'footer'),
    ...found(hasVariables, 'FOOTER_VARIABLES', 'footer'),
  ];
}

/** Placeholders are either numbered from 1 without gaps, or named. */
function lintNames({ variables }: Linted): Finding[] {
  const positions = variables.map(({ name }) => Number(name)).filter(Number.isInteger);
  if (positions.length === 0) return [];
  if (positions.length < variables.length) return found(true, 'VARIABLES_MIXED', 'body');
  const isSequence = positions.toSorted((a, b) => a - b).every((n, index) => n === index + 1);
  return found(!isSequence, 'VARIABLES_GAP', 'body');
}

const SHORTENERS = /\b(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|ow\.ly|cutt\.ly|rb\.gy)\//i;
const OPT_OUT = /\b(?:stop|unsubscribe|opt[ -]?out)\b/i;

function lintTone({ body, footer, category, buttons, variables }: Linted): Finding[] {
  const texts = [body, footer ?? '', ...buttons.map(({ text, url }) => `${text} ${url ?? ''}`)];
  const all = texts.join('\n');
  const isMarketing = category === 'marketing';
  const facts = { limit: LINES_SHOWN, actual: body.split('\n').length };
  return [
    ...found(SHORTENERS.test(all), 'URL_SHORTENER', 'body'),
    ...found(isMarketing && !OPT_OUT.test(all), 'OPT_OUT_MISSING', 'body'),
    ...found(isMarketing && facts.actual > LINES_SHOWN, 'BODY_FOLDED', 'body', facts),
    ...variables.flatMap(({ name, sample }) => {
      const isUnusable = sample === '' || /[\n\r\t]| {5,}/.test(sample);
      return found(isUnusable, 'SAMPLE_UNUSABLE', `variables.${name}`);
    }),
  ];
}
