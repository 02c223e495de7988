import { parseInstant } from '../values/instant.ts';

/** Times without a zone are in Indian time. */
const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const HAS_ZONE = /(?:Z|z|[+-]\d{2}(?::?\d{2})?)$/;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses the gateway’s time as milliseconds since 1970; undefined if the text is not a time. */
export function gatewayTimeMs(text: string | undefined): number | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  if (instant === undefined) return undefined;
  const isLocal = DATE_ONLY.test(text!) || !HAS_ZONE.test(text!);
  return isLocal ? instant.ms - IST_OFFSET_MS : instant.ms;
}
