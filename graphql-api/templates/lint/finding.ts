/** A problem in the content of a version, readable by people and programs. */
export type Finding = {
  readonly code: string;
  /** The path of the affected field: `body`, `buttons.1.url`. */
  readonly path: string;
  readonly limit: number | null;
  readonly actual: number | null;
  /** `block` prevents submission. `warn` means that the approver or recipients may object. */
  readonly severity: 'block' | 'warn';
  readonly message: string;
};

type Facts = { readonly limit: number; readonly actual: number };

type Messages<Block extends string, Warn extends string> = {
  readonly block: Readonly<Record<Block, string>>;
  readonly warn: Readonly<Record<Warn, string>>;
};

/** The findings that a set of rules can make, with a message for each code. */
export function findingsOf<Block extends string, Warn extends string>({
  block,
  warn,
}: Messages<Block, Warn>) {
  const messages: Readonly<Record<string, string>> = { ...block, ...warn };
  /** Returns the finding if the content has the problem. */
  return (isFound: boolean, code: Block | Warn, path: string, facts?: Facts): Finding[] => {
    if (!isFound) return [];
    const { limit = null, actual = null } = facts ?? {};
    const severity = Object.hasOwn(block, code) ? 'block' : 'warn';
    return [{ code, path, limit, actual, severity, message: messages[code]! }];
  };
}

/** Returns a blocking finding if the limit is exceeded. */
export function atMost(
  limit: number,
  actual: number,
  code: string,
  path: string,
  what: string,
): Finding[] {
  if (actual <= limit) return [];
  const message = `${what}: at most ${limit}, found ${actual}.`;
  return [{ code, path, limit, actual, severity: 'block', message }];
}

export function charactersAtMost(limit: number, text: string, code: string, path: string) {
  return atMost(limit, charactersOf(text), code, path, 'Characters');
}

/** Counts code points, so an emoji outside the basic plane is one character. */
export function charactersOf(text: string): number {
  return Array.from(text).length;
}
