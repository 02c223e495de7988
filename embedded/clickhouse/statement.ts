// Classifies a statement, finds where its data begins, and rewrites it so that the engine reads its
// data from a file and writes its result to a pipe. Statements are byte strings (see tokens.ts);
// the engine's own parser decides everything else.

import { type Edit, edited } from './edit.ts';
import { type Exception, exception } from './exception.ts';
import { type InsertWithData, type Refused, readInsert } from './insert-statement.ts';
import { outsideRefusal } from './outside.ts';
import { processRewrites } from './process-ids.ts';
import { type Token, tokenize } from './tokens.ts';

export type Statement =
  | { readonly kind: 'empty' }
  /** The beginning of a longer text; undecided yet. */
  | { readonly kind: 'open' }
  | Refused
  | InsertWithData
  | Read
  | Other;

/** A statement with a result, which is written to a pipe. */
export type Read = {
  readonly kind: 'read';
  readonly format: string;
  /** `mark` is added as a comment that identifies the run. */
  textWithOutput(path: string, mark: string): string;
};

/** Any other statement; its result, if any, is small. */
export type Other = { readonly kind: 'other'; readonly text: string };

const READ_KEYWORDS = new Set([
  'SELECT',
  'WITH',
  'FROM',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  'EXISTS',
  'CHECK',
  '(',
]);

/** `isComplete`: no bytes follow. */
export function readStatement(
  bytes: string,
  isComplete: boolean,
  defaultFormat: string,
): Statement {
  const first = tokenize(bytes).next().value;
  if (first === undefined) return isComplete ? { kind: 'empty' } : { kind: 'open' };
  if (first.text === 'INSERT') {
    const insert = readInsert(bytes, isComplete);
    if (insert !== undefined) return insideOnly(insert, bytes);
  }
  return isComplete ? readWhole(bytes, defaultFormat) : { kind: 'open' };
}

/** The rows are not SQL; the text before them is. */
function insideOnly(insert: InsertWithData | Refused, bytes: string): InsertWithData | Refused {
  if (insert.kind === 'refused') return insert;
  const head = bytes.slice(0, insert.dataStart);
  const problem = outsideRefusal([...tokenize(head)], head);
  return problem === undefined ? insert : { kind: 'refused', problem };
}

/** A complete statement without rows, or with a few rows after VALUES. */
export function readWhole(bytes: string, defaultFormat: string): Statement {
  const tokens: Token[] = [];
  let end = bytes.length;
  for (const token of tokenize(bytes)) {
    if (token.kind === 'mark' && token.text === ';') end = Math.min(end, token.start);
    else if (end < bytes.length) return { kind: 'refused', problem: manyStatements(bytes, token) };
    else tokens.push(token);
  }
  const first = tokens[0];
  if (first === undefined) return { kind: 'empty' };
  const outside = outsideRefusal(tokens, bytes);
  if (outside !== undefined) return { kind: 'refused', problem: outside };
  // The engine reports that error.
  if (tokens.at(-1)?.kind === 'open') return { kind: 'other', text: bytes };
  const text = bytes.slice(0, end);
  if (hasOutfile(tokens)) return { kind: 'refused', problem: intoOutfile() };
  const edits = processRewrites(tokens, text);
  const isRead = READ_KEYWORDS.has(first.text) && !holdsInsert(tokens);
  return isRead
    ? readOf(text, tokens, edits, defaultFormat)
    : { kind: 'other', text: edited(text, edits) };
}

/** INTO OUTFILE precedes the FORMAT clause, which only SETTINGS may follow. */
function readOf(
  text: string,
  tokens: readonly Token[],
  edits: readonly Edit[],
  defaultFormat: string,
): Read {
  const format = tokens.findLastIndex(
    (token, index) =>
      token.text === 'FORMAT' &&
      token.depth === 0 &&
      tokens[index + 1]?.kind === 'word' &&
      (index + 2 === tokens.length || tokens[index + 2]?.text === 'SETTINGS'),
  );
  const hasFormat = format > 0;
  const at = hasFormat ? tokens[format]!.start : text.length;
  const name = hasFormat ? tokens[format + 1]! : undefined;
  return {
    kind: 'read',
    format: name === undefined ? defaultFormat : text.slice(name.start, name.end),
    textWithOutput(path, mark) {
      // On a new line, because the statement may end in a comment.
      const outfile = `\nINTO OUTFILE '${path}' TRUNCATE /* ${mark} */\n`;
      const clause = hasFormat ? outfile : `${outfile}FORMAT ${defaultFormat}`;
      return edited(text, [...edits, { start: at, end: at, text: clause }]);
    },
  };
}

/** After a WITH list or EXPLAIN; in other places it is an identifier. */
function holdsInsert(tokens: readonly Token[]): boolean {
  if (tokens[0]?.text !== 'WITH' && tokens[0]?.text !== 'EXPLAIN') return false;
  const begin = tokens.find(({ text, depth }) => depth === 0 && STATEMENT.has(text));
  const at = tokens.findIndex((token, index) => {
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    if (token.text !== 'INSERT' || token.depth !== 0 || before === undefined) return false;
    if (before.text === 'AS' || before.text === 'WITH') return false;
    if (before.kind === 'mark' && before.text !== ')') return false;
    return (next?.kind === 'word' && next.text !== 'AS') || next?.kind === 'quoted';
  });
  return at !== -1 && (begin === undefined || tokens[at]!.start < begin.start);
}

const STATEMENT = new Set(['SELECT', 'FROM']);

/** A table may have that name. */
function hasOutfile(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, index) =>
      token.text === 'INTO' &&
      tokens[index + 1]?.text === 'OUTFILE' &&
      tokens[index + 2]?.kind === 'string',
  );
}

function manyStatements(bytes: string, next: Token): Exception {
  const excerpt = bytes.slice(next.start, next.start + 100);
  return exception(
    'SYNTAX_ERROR',
    `Syntax error (Multi-statements are not allowed): failed at position ${next.start + 1}: ${excerpt}`,
  );
}

function intoOutfile(): Exception {
  return exception('INTO_OUTFILE_NOT_ALLOWED', 'INTO OUTFILE is not allowed');
}
