// Type checks for the values that clients send.

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The values that clients send for a missing ID or time. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
