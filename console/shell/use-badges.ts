import { inCount } from '../pieces/in-words.ts';
import { EMAILS_MAX, useWaiting, type Waiting } from '../pieces/use-waiting.ts';

/** A count beside the title of a view, and what it counts, such as "3 reviews are waiting". */
export type Badge = { readonly count: string; readonly meaning: string };

type Words = { readonly one: string; readonly many: string };
const REVIEWS: Words = { one: 'review is waiting', many: 'reviews are waiting' };
const ENDPOINTS: Words = { one: 'endpoint is failing', many: 'endpoints are failing' };

const REPEAT_MS = 60_000;

/** By path of the view. A count that is unknown or zero has no badge. */
export function useBadges(): Readonly<Record<string, Badge | undefined>> {
  const { data } = useWaiting({ askAgainMs: REPEAT_MS });
  return {
    '/partner': badgeOf(partnerReviews(data), REVIEWS),
    '/templates': badgeOf(data?.templateReviews?.length, REVIEWS, EMAILS_MAX),
    '/webhooks': badgeOf(failingEndpoints(data), ENDPOINTS),
  };
}

function badgeOf(
  number: number | undefined,
  { one, many }: Words,
  max = Infinity,
): Badge | undefined {
  if (number === undefined || number === 0) return undefined;
  const count = number < max ? inCount(number) : `${inCount(max)}+`;
  return { count, meaning: `${count} ${number === 1 ? one : many}` };
}

function partnerReviews(data: Waiting | undefined): number | undefined {
  const queues = data?.partnerReviewQueues;
  return queues && queues.kycSubmissions.count + queues.payouts.count + queues.deals.count;
}

function failingEndpoints(data: Waiting | undefined): number | undefined {
  return data?.webhookEndpoints?.nodes.filter(
    ({ state, failingSince }) =>
      state === 'AUTO_DISABLED' || (state === 'ENABLED' && failingSince !== null),
  ).length;
}
