// ClickHouse's lexer, as far as it is needed to run statements: where strings, comments and
// brackets begin and end. It reads a byte string (one character per byte), so positions are byte
// positions and the binary data after an INSERT does no harm.

export type Token = {
  /** 'open': an unterminated string or comment begins here; no token follows it. */
  readonly kind: 'word' | 'quoted' | 'string' | 'mark' | 'open';
  /** As written; words in capitals, so that keywords compare simply. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The number of open brackets around it; a bracket has the depth outside of it. */
  readonly depth: number;
};

const SPACE = /[\s\0]*/y;
const WORD = /[A-Za-z0-9_\x80-\xff]+/y;
const LINE_COMMENT = /(?:--|\/\/|#!|# )[^\n]*\n?/y;
const HEREDOC_TAG = /\$[A-Za-z0-9_]*\$/y;

/** Yields the tokens from `position` on. */
export function* tokenize(bytes: string, position = 0): Generator<Token> {
  let at = skipBlank(bytes, position);
  let depth = 0;
  let end = position;
  while (at !== -1 && at < bytes.length) {
    const character = bytes[at]!;
    const word = match(WORD, bytes, at);
    let kind: Token['kind'] = 'mark';
    if (word !== undefined) {
      kind = 'word';
      end = at + word.length;
    } else if (character === "'" || character === '"' || character === '`') {
      kind = character === "'" ? 'string' : 'quoted';
      end = endOfQuoted(bytes, at);
    } else if (character === '$') {
      const tag = match(HEREDOC_TAG, bytes, at);
      if (tag !== undefined) kind = 'string';
      end = tag === undefined ? at + 1 : endOfHeredoc(bytes, at, tag);
    } else {
      end = at + 1;
    }
    if (end === -1) break;
    if (kind === 'mark' && ')]}'.includes(character)) depth = Math.max(0, depth - 1);
    const text = bytes.slice(at, end);
    yield { kind, text: kind === 'word' ? text.toUpperCase() : text, start: at, end, depth };
    if (kind === 'mark' && '([{'.includes(character)) depth += 1;
    at = skipBlank(bytes, end);
  }
  if (at === -1 || end === -1)
    yield { kind: 'open', text: '', start: Math.max(at, 0), end: bytes.length, depth };
}

/** The name in a word or a quoted identifier. */
export function nameOf(token: Token, bytes: string): string {
  const written = bytes.slice(token.start, token.end);
  return token.kind === 'quoted' ? written.slice(1, -1) : written;
}

/** The next position that is neither whitespace nor comment; -1 inside an open comment. */
function skipBlank(bytes: string, position: number): number {
  let at = position;
  for (;;) {
    const start = at;
    at += match(SPACE, bytes, at)?.length ?? 0;
    at += match(LINE_COMMENT, bytes, at)?.length ?? 0;
    if (bytes.startsWith('/*', at)) at = endOfComment(bytes, at);
    if (at === start || at === -1) return at;
  }
}

/** Comments nest, as in ClickHouse. */
function endOfComment(bytes: string, start: number): number {
  let open = 1;
  let at = start + 2;
  while (open > 0) {
    const close = bytes.indexOf('*/', at);
    if (close === -1) return -1;
    const inner = bytes.indexOf('/*', at);
    const opens = inner !== -1 && inner < close;
    open += opens ? 1 : -1;
    at = (opens ? inner : close) + 2;
  }
  return at;
}

function endOfQuoted(bytes: string, start: number): number {
  const quote = bytes[start];
  let at = start + 1;
  while (at < bytes.length) {
    const character = bytes[at];
    if (character === '\\') at += 2;
    else if (character !== quote) at += 1;
    else if (bytes[at + 1] === quote) at += 2;
    else return at + 1;
  }
  return -1;
}

function endOfHeredoc(bytes: string, start: number, tag: string): number {
  const close = bytes.indexOf(tag, start + tag.length);
  return close === -1 ? -1 : close + tag.length;
}

function match(pattern: RegExp, bytes: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(bytes)?.[0];
}
