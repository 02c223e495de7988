// What the values that clients send look like.

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What clients send for an ID or a time that they do not have. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
