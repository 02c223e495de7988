// JSON laid out in lines as it was sent. The text is not parsed and reformatted: numbers of 20
// digits, escapes and duplicate names stay as sent, and a truncated text ends at its last character.

export type JsonPiece = {
  readonly kind: 'name' | 'string' | 'number' | 'word' | 'sign';
  readonly text: string;
};

export type JsonLine = {
  readonly depth: number;
  /** The path of the value that begins here; undefined for a line that closes one. */
  readonly path: readonly string[] | undefined;
  readonly pieces: readonly JsonPiece[];
};

type Level = {
  readonly isObject: boolean;
  name: string;
  index: number;
  isNameNext: boolean;
};

/** The last alternative matches invalid JSON. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
const NUMBER = /^-?\d/;

export function jsonLines(text: string): JsonLine[] {
  const layout = new Layout();
  const tokens = text.match(TOKEN) ?? [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const isEmpty = `${token}${tokens[at + 1]}` === '{}' || `${token}${tokens[at + 1]}` === '[]';
    if (isEmpty) layout.add('sign', token + tokens[++at]!);
    else layout.take(token);
  }
  return layout.end();
}

class Layout {
  readonly #lines: JsonLine[] = [];
  readonly #levels: Level[] = [];
  #pieces: JsonPiece[] = [];
  #isClosing = false;

  take(token: string): void {
    const level = this.#levels.at(-1);
    if (token === '{' || token === '[') this.#open(token);
    else if (token === '}' || token === ']') this.#close(token);
    else if (token === ',') {
      this.add('sign', token);
      this.#endLine();
      if (level !== undefined) {
        level.index++;
        level.isNameNext = level.isObject;
      }
    } else if (token === ':') this.add('sign', ': ');
    else if (token.startsWith('"') && level?.isNameNext) {
      level.name = nameIn(token);
      level.isNameNext = false;
      this.add('name', token);
    } else this.add(kindOf(token), token);
  }

  add(kind: JsonPiece['kind'], text: string): void {
    this.#pieces.push({ kind, text });
  }

  end(): JsonLine[] {
    this.#endLine();
    return this.#lines;
  }

  #open(token: string): void {
    this.add('sign', token);
    this.#endLine();
    const isObject = token === '{';
    this.#levels.push({ isObject, name: '', index: 0, isNameNext: isObject });
  }

  #close(token: string): void {
    this.#endLine();
    this.#levels.pop();
    this.#pieces = [{ kind: 'sign', text: token }];
    // The rest of this line is at most a comma.
    this.#isClosing = true;
  }

  #endLine(): void {
    if (this.#pieces.length === 0) return;
    const path = this.#levels.map(({ isObject, name, index }) => (isObject ? name : String(index)));
    this.#lines.push({
      depth: this.#levels.length,
      path: this.#isClosing ? undefined : path,
      pieces: this.#pieces,
    });
    this.#pieces = [];
    this.#isClosing = false;
  }
}

function kindOf(token: string): JsonPiece['kind'] {
  if (token.startsWith('"')) return 'string';
  return NUMBER.test(token) ? 'number' : 'word';
}

function nameIn(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}
