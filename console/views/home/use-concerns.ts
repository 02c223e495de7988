import { useQuery } from 'urql';
import { inDuration, inPercent } from '../../pieces/in-words.ts';
import { isLate, useDelay } from '../../pieces/use-delay.ts';
import { useWaiting } from '../../pieces/use-waiting.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import type { Concern } from './concern.ts';
import { SETUP, SETUP_CONTEXT, type Setup } from './home-query.ts';
import { reviewConcerns } from './review-concerns.ts';
import { useTraffic } from './use-traffic.ts';

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
  const delay = useDelay();
  const [traffic] = useTraffic();
  const [setup] = useQuery({ query: SETUP, context: SETUP_CONTEXT });
  const reviews = useWaiting({ isPaused: !isAdmin });
  const health = traffic.data?.ingestHealth;
  const late = delay !== undefined && isLate(delay) ? delay.seconds : null;
  return {
    concerns: [
      ...(late === null ? [] : [{ text: `Data is ${inDuration(late)} late`, href: '/live' }]),
      ...rejectedToday(health?.accepted?.at(-1), health?.rejected?.at(-1)),
      ...endpointConcerns(setup.data),
      ...reviewConcerns(reviews.data),
    ],
    isAsking: [traffic, setup, reviews].some(({ fetching, data }) => fetching && !data),
    unknown: [
      ...(health && health.rejected === null ? ['rejected events'] : []),
      ...(traffic.error && !health ? ['events'] : []),
      ...(setup.error ? ['webhooks'] : []),
      ...(reviews.error ? ['reviews'] : []),
    ],
  };
}

function rejectedToday(accepted = 0, rejected = 0): readonly Concern[] {
  const share = rejected / (accepted + rejected);
  if (!(share >= REJECTED_SHARE)) return [];
  const text = `${inPercent(share)} of today’s events were rejected`;
  return [{ text, href: '/rejected?range=day' }];
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
