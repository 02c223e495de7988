import type { HeldTemplate } from './store.ts';

export type EventFacts = {
  readonly accountId: string;
  readonly event: string;
  readonly atMs: number;
  /** For example `FIRST_PAUSE` or `UNPAUSE`. */
  readonly title?: string | undefined;
};

/** Returns the webhook body in the format of the channel's approver. */
export function eventBody(template: HeldTemplate, facts: EventFacts): string {
  return template.channel === 'sms' ? smsEvent(template, facts) : platformEvent(template, facts);
}

function platformEvent(template: HeldTemplate, facts: EventFacts): string {
  const { accountId, event, atMs, title } = facts;
  const { recommendation } = template.judgement;
  const isBadFormat = event === 'REJECTED' && template.reason === 'INVALID_FORMAT';
  const value = {
    event,
    message_template_id: template.id,
    message_template_name: template.name,
    message_template_language: template.language,
    message_template_category: template.category,
    reason: event === 'REJECTED' ? template.reason : 'NONE',
    ...(isBadFormat && { rejection_info: { reason: 'INVALID_FORMAT', recommendation } }),
    ...(title !== undefined && { other_info: { title, description: 'because of its quality' } }),
  };
  const time = Math.floor(atMs / 1000);
  const changes = [{ field: 'message_template_status_update', value }];
  const envelope = {
    object: 'whatsapp_business_account',
    entry: [{ id: accountId, time, changes }],
  };
  // The ID is a JSON number with more digits than a double holds.
  return JSON.stringify(envelope).replace(/("message_template_id":)"(\d+)"/, '$1$2');
}

function smsEvent(template: HeldTemplate, { event, atMs }: EventFacts): string {
  return JSON.stringify({
    event_id: `${template.id}-${event}-${atMs}`,
    reference: template.name,
    template_id: template.id,
    status: event,
    reason: template.reason,
    occurred_at: new Date(atMs).toISOString(),
  });
}
