import { readBody } from './read-body.ts';
import type { Sent, SentRefusal } from './sent.ts';

/** A rejected event, as the reports return it. */
type Reported = Pick<Sent, 'receivedAt' | 'messageId'> &
  SentRefusal & {
    readonly endpoint: string;
    readonly body: string | null;
    readonly sdkKey: { readonly id: string } | null;
  };

export type RejectedSent = Sent & { readonly refusal: SentRefusal };

export function rejectedSent(reported: Reported): RejectedSent {
  const { code, message, batchIndex, receivedAt, endpoint, messageId, body, sdkKey } = reported;
  const { type, name, userId, anonymousId } = readBody(body);
  return {
    receivedAt,
    endpoint,
    messageId,
    type,
    name,
    userId,
    anonymousId,
    sdkKeyId: sdkKey?.id ?? null,
    body: body ?? '',
    refusal: { code, message, batchIndex },
  };
}
