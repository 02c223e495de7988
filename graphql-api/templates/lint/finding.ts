/** What is wrong with a text, for people and programs. */
export type Finding = {
  readonly code: string;
  /** Of the field in question: `body`, `buttons.1.url`. */
  readonly path: string;
  readonly limit: number | null;
  readonly actual: number | null;
  /** `block`: the channel takes no such message. `warn`: reviewers or readers may mind. */
  readonly severity: 'block' | 'warn';
  readonly message: string;
};

type Facts = { readonly limit?: number; readonly actual?: number };

export function block(code: string, path: string, message: string, facts: Facts = {}): Finding {
  return found('block', code, path, message, facts);
}

export function warn(code: string, path: string, message: string, facts: Facts = {}): Finding {
  return found('warn', code, path, message, facts);
}

/** Blocks what is more than the limit. */
export function atMost(
  limit: number,
  actual: number,
  code: string,
  path: string,
  what: string,
): Finding[] {
  if (actual <= limit) return [];
  return [block(code, path, `${what}: at most ${limit}, not ${actual}.`, { limit, actual })];
}

/** As people count: an emoji outside the basic plane is one. */
export function charactersOf(text: string): number {
  return Array.from(text).length;
}

function found(
  severity: Finding['severity'],
  code: string,
  path: string,
  message: string,
  { limit, actual }: Facts,
): Finding {
  return { code, path, limit: limit ?? null, actual: actual ?? null, severity, message };
}
