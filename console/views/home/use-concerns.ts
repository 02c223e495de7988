import { useQuery } from 'urql';
import { inCount, inPercent } from '../../pieces/in-words.ts';
import { useWaiting } from '../../pieces/use-waiting.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import type { Concern } from './concern.ts';
import { SETUP, SETUP_CONTEXT, type Setup, type Traffic } from './home-query.ts';
import { reviewConcerns } from './review-concerns.ts';
import { isTodayPartial, useTraffic } from './use-traffic.ts';

type Concerns = {
  readonly concerns: readonly Concern[];
  readonly isAsking: boolean;
  /** What could not be asked, such as "events". */
  readonly unknown: readonly string[];
};

/** From this share of rejected events on, something is wrong with what is sent. */
const REJECTED_SHARE = 0.05;

/** What needs attention, as far as the viewer can do something about it. */
export function useConcerns(): Concerns {
  const isAdmin = useMay('PLATFORM_ADMIN');
  const [traffic] = useTraffic();
  const [setup] = useQuery({ query: SETUP, context: SETUP_CONTEXT });
  const reviews = useWaiting({ isPaused: !isAdmin });
  const health = traffic.data?.ingestHealth;
  return {
    concerns: [
      ...(health ? rejectedLately(health) : []),
      ...endpointConcerns(setup.data),
      ...reviewConcerns(reviews.data),
    ],
    isAsking: [traffic, setup, reviews].some(({ fetching, data }) => fetching && !data),
    unknown: [
      ...(health && !(health.accepted && health.rejected) ? ['rejected events'] : []),
      ...(health ? [] : ['events']),
      ...(setup.error ? ['webhooks'] : []),
      ...(reviews.error ? ['reviews'] : []),
    ],
  };
}

/** The newest day first, each with the range that shows its rejected events. */
const LATELY = [
  { name: 'today', at: -1, range: 'day' },
  { name: 'yesterday', at: -2, range: 'yesterday' },
] as const;

/**
 * Also yesterday, because what was rejected in the evening is still to be corrected the next morning. None
 * if either number is unknown. A share of partial numbers would be wrong.
 */
function rejectedLately(traffic: Traffic): readonly Concern[] {
  const found = LATELY.flatMap(({ name, at, range }) => {
    const [accepted, rejected] = [traffic.accepted?.at(at), traffic.rejected?.at(at)];
    if (accepted === undefined || rejected === undefined) return [];
    const share = rejected / (accepted + rejected);
    if (!(share >= REJECTED_SHARE)) return [];
    const part = isTodayPartial(traffic) ? `At least ${inCount(rejected)}` : inPercent(share);
    const text = `${part} of ${name}’s events were rejected`;
    return [{ text, href: `/rejected?range=${range}` }];
  });
  return found.slice(0, 1);
}

function endpointConcerns(setup: Setup | undefined): readonly Concern[] {
  const endpoints = setup?.webhookEndpoints.nodes ?? [];
  return endpoints.flatMap(({ id, description, url, state, failingSince }) => {
    const name = description || url;
    const href = `/webhooks/endpoints/${id}`;
    if (state === 'AUTO_DISABLED')
      return [{ text: `The webhook endpoint “${name}” was disabled after failures`, href }];
    if (state === 'ENABLED' && failingSince !== null)
      return [{ text: `The webhook endpoint “${name}” is failing`, href }];
    return [];
  });
}
