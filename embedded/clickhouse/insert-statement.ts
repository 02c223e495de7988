// Parses an INSERT up to the first byte of its rows, because the bytes after it are not SQL.

import { type Edit, edited } from './edit.ts';
import { type Exception, exception } from './exception.ts';
import { type Token, tokenize } from './tokens.ts';

/** An INSERT that is followed by its rows. */
export type InsertWithData = {
  readonly kind: 'insert';
  readonly format: string;
  /** Position of the first byte of the rows. */
  readonly dataStart: number;
  /** The statement that reads the rows from a file. The path is inserted unescaped. */
  textWithFile(path: string): string;
};

export type Refused = { readonly kind: 'refused'; readonly problem: Exception };

/**
 * The tokens after the table's name decide. Undefined: no rows follow, or not within these bytes.
 */
export function readInsert(
  bytes: string,
  isComplete: boolean,
): InsertWithData | Refused | undefined {
  const tokens = tokenize(bytes);
  const seen: Token[] = [];
  let settings: Token | undefined;
  for (const token of tokens) {
    seen.push(token);
    const isKeyword = token.kind === 'word' && token.depth === 0 && seen.length > tableEnd(seen);
    if (!isKeyword) continue;
    if (token.text === 'SETTINGS') settings ??= token;
    if (token.text === 'FROM' || token.text === 'WATCH') return undefined;
    if (token.text === 'SELECT' || token.text === 'WITH')
      return readInsertSelect(bytes, isComplete, tokens);
    if (token.text === 'VALUES') {
      if (!isComplete && token.end === bytes.length) return undefined;
      return withFile(bytes, settings ?? token, token, token.end, 'Values');
    }
    if (token.text === 'FORMAT') {
      const name = tokens.next().value;
      const dataStart = name === undefined ? -1 : startOfRows(bytes, name.end, isComplete);
      if (name === undefined || dataStart === -1) return undefined;
      // A byte after the line break belongs to the rows.
      if (bytes[dataStart] === ';' && bytes[dataStart - 1] !== '\n')
        return { kind: 'refused', problem: semicolon() };
      const format = bytes.slice(name.start, name.end);
      return withFile(bytes, settings ?? token, token, dataStart, format);
    }
  }
  return undefined;
}

function withFile(
  bytes: string,
  at: Token,
  clause: Token,
  dataStart: number,
  format: string,
): InsertWithData {
  return {
    kind: 'insert',
    format,
    dataStart,
    // FROM INFILE precedes SETTINGS, which precede FORMAT.
    textWithFile: path =>
      `${bytes.slice(0, at.start)} FROM INFILE '${path}' ` +
      `${bytes.slice(at.start, clause.start)} FORMAT ${format}`,
  };
}

/** INSERT … SELECT is followed by rows only if it reads them with input(). */
function readInsertSelect(
  bytes: string,
  isComplete: boolean,
  tokens: Generator<Token>,
): InsertWithData | undefined {
  const inputs: { start: number; open: Token; close?: Token }[] = [];
  let previous: Token | undefined;
  for (const token of tokens) {
    if (token.text === '(' && previous?.text === 'INPUT' && previous.kind === 'word')
      inputs.push({ start: previous.start, open: token });
    const input = inputs.at(-1);
    if (input !== undefined && input.close === undefined && token.text === ')')
      if (token.depth === input.open.depth) input.close = token;
    if (token.text === 'FORMAT' && token.depth === 0 && inputs.length > 0) {
      const name = tokens.next().value;
      const dataStart = name === undefined ? -1 : startOfRows(bytes, name.end, isComplete);
      if (name === undefined || dataStart === -1) return undefined;
      const format = bytes.slice(name.start, name.end);
      return {
        kind: 'insert',
        format,
        dataStart,
        textWithFile: path =>
          edited(
            bytes.slice(0, token.start),
            inputs.map(({ start, open, close }): Edit => {
              const end = close?.end ?? open.end;
              const structure = bytes.slice(open.end, close?.start ?? open.end);
              return { start, end, text: `file('${path}', '${format}', ${structure})` };
            }),
          ),
      };
    }
    previous = token;
  }
  return undefined;
}

/**
 * After FORMAT's name, whitespace and one line break belong to the statement. -1: undecided yet.
 */
function startOfRows(bytes: string, position: number, isComplete: boolean): number {
  let at = position;
  while (bytes[at] === ' ' || bytes[at] === '\t' || bytes[at] === '\f') at += 1;
  if (bytes[at] === '\r') at += 1;
  if (at >= bytes.length) return isComplete ? at : -1;
  return bytes[at] === '\n' ? at + 1 : at;
}

/** The number of these first tokens that name the table. A keyword in this place is a name. */
function tableEnd(tokens: readonly Token[]): number {
  let at = 1;
  for (const keyword of ['INTO', 'TABLE', 'FUNCTION'])
    if (tokens[at]?.text === keyword && tokens[at + 1] !== undefined) at += 1;
  at += 1;
  while (tokens[at]?.text === '.') at += 2;
  return at;
}

function semicolon() {
  return exception('SYNTAX_ERROR', "You have excessive ';' symbol before data for INSERT");
}
