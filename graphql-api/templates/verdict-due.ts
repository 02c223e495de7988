import type { TemplateChannel } from './content.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The registries of SMS keep Indian time, which has no summer time. */
const INDIAN_OFFSET_MS = 5.5 * HOUR_MS;

export type VerdictPatience = {
  readonly messagingAppHours: number;
  readonly smsBusinessDays: number;
  readonly emailHours: number;
};

/**
 * Most verdicts of the messaging app come within minutes, the last ones within a day. Of an SMS, what
 * the operators' registries take at most. Emails are read by somebody of the operator.
 */
export const DEFAULT_PATIENCE: VerdictPatience = {
  messagingAppHours: 24,
  smsBusinessDays: 4,
  emailHours: 24,
};

/** From when an operator is told that there is still no verdict. */
export function verdictDueMs(
  channel: TemplateChannel,
  submittedMs: number,
  patience: VerdictPatience = DEFAULT_PATIENCE,
): number {
  switch (channel) {
    case 'messaging_app':
      return submittedMs + patience.messagingAppHours * HOUR_MS;
    case 'sms':
      return afterBusinessDays(submittedMs, patience.smsBusinessDays);
    case 'email':
      return submittedMs + patience.emailHours * HOUR_MS;
  }
}

/** At the same hour; neither Saturdays nor Sundays, in India, count. */
function afterBusinessDays(fromMs: number, days: number): number {
  let ms = fromMs;
  for (let left = days; left > 0; ) {
    ms += DAY_MS;
    const weekday = new Date(ms + INDIAN_OFFSET_MS).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left--;
  }
  return ms;
}
