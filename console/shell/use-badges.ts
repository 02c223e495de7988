import { useEffect, useState } from 'react';
import { inCount } from '../pieces/in-words.ts';
import { EMAILS_MAX, useWaiting, type Waiting } from '../pieces/use-waiting.ts';

/** A count beside the title of a view, such as "3 waiting". */
export type Badge = { readonly count: string; readonly what: 'waiting' | 'failing' };

const REPEAT_MS = 60_000;
/** The first view is loaded before. */
const START_MS = 1_000;

/** By path of the view. A count that is unknown or zero has no badge. */
export function useBadges(): Readonly<Record<string, Badge | undefined>> {
  const [isStarted, setIsStarted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsStarted(true), START_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useWaiting({ askAgainMs: REPEAT_MS, isPaused: !isStarted });
  return {
    '/partner': badgeOf(partnerReviews(data), 'waiting'),
    '/templates': badgeOf(data?.templateReviews?.length, 'waiting', EMAILS_MAX),
    '/webhooks': badgeOf(failingEndpoints(data), 'failing'),
  };
}

function badgeOf(
  count: number | undefined,
  what: Badge['what'],
  max = Infinity,
): Badge | undefined {
  if (count === undefined || count === 0) return undefined;
  return { count: count < max ? inCount(count) : `${inCount(max)}+`, what };
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
