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

type Facts = { readonly limit?: number; readonly actual?: number };

export function block(code: string, path: string, message: string, facts: Facts = {}): Finding {
  return found('block', code, path, message, facts);
}

export function warn(code: string, path: string, message: string, facts: Facts = {}): Finding {
  return found('warn', code, path, message, facts);
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
  return [block(code, path, `${what}: at most ${limit}, found ${actual}.`, { limit, actual })];
}

/** Counts code points, so an emoji outside the basic plane is one character. */
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
