// An event, or feedback on a campaign, as an SDK sent it: from the live view or from a report.

import { inPlainWords } from '../in-words.ts';

export type SentRefusal = {
  readonly code: string;
  readonly message: string;
  /** The position in its batch, starting at 0. */
  readonly batchIndex: number;
};

export type Sent = {
  readonly receivedAt: string;
  /** Undefined if the source does not say. */
  readonly endpoint?: string;
  readonly sdkKeyId: string | null;
  readonly type: string | null;
  /** For feedback, the campaign. */
  readonly name: string | null;
  readonly messageId: string | null;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly body: string;
  /** The size of the full body, if `body` is only its beginning. */
  readonly fullBytes?: number | undefined;
  /** Present if it was rejected. */
  readonly refusal?: SentRefusal | undefined;
};

/** Feedback has the ID of its campaign as its name. */
const FEEDBACK_PATH = /\/v1\/(?:in_app|push)\//;

export function isFeedback({ endpoint }: Pick<Sent, 'endpoint'>): boolean {
  return FEEDBACK_PATH.test(endpoint ?? '');
}

type Named = Pick<Sent, 'endpoint' | 'type' | 'name'>;
type Campaigns = ReadonlyMap<string, { readonly name: string }>;

/** The name of the event; for feedback, the name of the campaign. */
export function nameInWords(sent: Named, campaigns: Campaigns): string {
  const { name, type } = sent;
  if (isFeedback(sent)) return campaigns.get(name ?? '')?.name ?? 'Unknown campaign';
  return name ?? (type === null ? 'Unnamed event' : inPlainWords(type));
}

/** What happened, beside the name: the event type, or the interaction with the campaign. */
export function typeInWords(sent: Named): string {
  const { name, type } = sent;
  if (isFeedback(sent)) return `campaign ${type ?? 'feedback'}`;
  return name === null ? '' : (type ?? 'unknown type');
}
