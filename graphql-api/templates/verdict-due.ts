import { DAY_MS, HOUR_MS } from '../../schema/values/durations.ts';
import type { TemplateChannel } from './content.ts';

/** The SMS registries use Indian time, which has no daylight saving. */
const INDIAN_OFFSET_MS = 5.5 * HOUR_MS;

/** How long a submission may be pending before operators are alerted. */
export type ApprovalDeadlines = {
  readonly messagingAppHours: number;
  readonly smsBusinessDays: number;
  readonly emailHours: number;
};

/**
 * The messaging app decides most submissions within minutes and all within a day. The SMS default
 * is the longest time that the operators' registries take. A platform admin reviews emails.
 */
export const DEFAULT_DEADLINES: ApprovalDeadlines = {
  messagingAppHours: 24,
  smsBusinessDays: 4,
  emailHours: 24,
};

/** When operators are alerted that a submission is still pending. */
export function verdictDueMs(
  channel: TemplateChannel,
  submittedMs: number,
  deadlines: ApprovalDeadlines = DEFAULT_DEADLINES,
): number {
  switch (channel) {
    case 'messaging_app':
      return submittedMs + deadlines.messagingAppHours * HOUR_MS;
    case 'sms':
      return afterBusinessDays(submittedMs, deadlines.smsBusinessDays);
    case 'email':
      return submittedMs + deadlines.emailHours * HOUR_MS;
  }
}

/** The same time of day after the given number of days, not counting weekends in India. */
function afterBusinessDays(fromMs: number, days: number): number {
  let ms = fromMs;
  for (let left = days; left > 0; ) {
    ms += DAY_MS;
    const weekday = new Date(ms + INDIAN_OFFSET_MS).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left--;
  }
  return ms;
}
