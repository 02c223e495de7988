// The text of a datetime-local field: the viewer's time without a zone.

const MINUTE_MS = 60_000;
/** The format of the field with a year of four digits; it lets one type six. */
const TYPED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Null if nothing is typed; undefined if it is no moment of the past. */
export function momentOf(typed: string): string | null | undefined {
  if (typed === '') return null;
  const ms = TYPED.test(typed) ? Date.parse(typed) : Number.NaN;
  return ms <= Date.now() ? new Date(ms).toISOString() : undefined;
}

export function nowInField(): string {
  const now = new Date();
  const local = now.getTime() - now.getTimezoneOffset() * MINUTE_MS;
  return new Date(local).toISOString().slice(0, 16);
}
