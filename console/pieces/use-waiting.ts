import { useEffect, useRef } from 'react';
import { useClient, useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { useMay, useViewer } from '../session/ViewerProvider.tsx';
import { useRepeat } from './use-repeat.ts';

/** A workspace has at most 20 endpoints; more emails than 20 are counted as "20 or more". */
const WAITING = graphql(`
  query Waiting($isAdmin: Boolean!, $isInWorkspace: Boolean!) {
    partnerReviewQueues @include(if: $isAdmin) {
      kycSubmissions { count oldestAt }
      payouts { count oldestAt }
      deals { count oldestAt }
    }
    templateReviews(first: 20) @include(if: $isAdmin) { submissionId }
    webhookEndpoints(first: 20) @include(if: $isInWorkspace) {
      nodes { id state failingSince }
    }
  }
`);

/** What joins or leaves a queue can be on none of the queried lists. */
const CONTEXT = {
  additionalTypenames: ['KycSubmission', 'Payout', 'AgencyDeal', 'WebhookEndpoint'],
};

export type Waiting = ResultOf<typeof WAITING>;
export const EMAILS_MAX = 20;

type WaitingOptions = { readonly askAgainMs?: number; readonly isPaused?: boolean };

/**
 * The lengths of the review queues and the state of the webhook endpoints, as far as the viewer has
 * access. It is one query for all who use it.
 */
export function useWaiting({ askAgainMs, isPaused = false }: WaitingOptions = {}) {
  const isAdmin = useMay('PLATFORM_ADMIN');
  const isInWorkspace = useViewer().workspace !== null;
  const pause = isPaused || !(isAdmin || isInWorkspace);
  const [state, ask] = useQuery({
    query: WAITING,
    variables: { isAdmin, isInWorkspace },
    context: CONTEXT,
    pause,
  });
  useRepeat(ask, pause ? undefined : askAgainMs);
  return state;
}

/** Refetches it for all who show it, as soon as what a view shows of it has changed. */
export function useWaitingAgain(shown: string | undefined): void {
  const client = useClient();
  const isAdmin = useMay('PLATFORM_ADMIN');
  const isInWorkspace = useViewer().workspace !== null;
  const before = useRef(shown);
  useEffect(() => {
    const isChanged = before.current !== undefined && before.current !== shown;
    before.current = shown;
    if (!isChanged) return;
    const variables = { isAdmin, isInWorkspace };
    void client
      .query(WAITING, variables, { ...CONTEXT, requestPolicy: 'network-only' })
      .toPromise();
  }, [client, isAdmin, isInWorkspace, shown]);
}
