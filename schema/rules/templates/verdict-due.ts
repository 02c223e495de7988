import type { TemplateChannel } from './content.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Most verdicts of the messaging app come within minutes, the last ones within a day. */
const MESSAGING_APP_HOURS = 24;
/** What the operators' registries take at most. */
const SMS_BUSINESS_DAYS = 4;
/** Somebody of the operator reads them. */
const EMAIL_HOURS = 24;

/** From when an operator is told that there is still no verdict. */
export function verdictDueMs(channel: TemplateChannel, submittedMs: number): number {
  switch (channel) {
    case 'messaging_app':
      return submittedMs + MESSAGING_APP_HOURS * HOUR_MS;
    case 'sms':
      return afterBusinessDays(submittedMs, SMS_BUSINESS_DAYS);
    case 'email':
      return submittedMs + EMAIL_HOURS * HOUR_MS;
  }
}

/** At the same hour; neither Saturdays nor Sundays, in UTC, count. */
function afterBusinessDays(fromMs: number, days: number): number {
  let ms = fromMs;
  for (let left = days; left > 0; ) {
    ms += DAY_MS;
    const weekday = new Date(ms).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left--;
  }
  return ms;
}
