import { useCallback, useEffect, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import type { Journey } from '../journey-query.ts';

const POSITIONS = graphql(`
  query JourneyPositions($id: ID!, $state: EnrolmentState!, $after: String) {
    journey(id: $id) {
      id
      enrolments(first: 100, state: $state, after: $after) {
        nodes { id nodeId }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** The API counts a journey as a whole, so people are counted one by one: up to 1,000, in ten requests. */
const PAGES_MAX = 10;

export type StepCounts = {
  /** The people at each step, by its ID. */
  readonly byStep: ReadonlyMap<string, number>;
  /** Otherwise only these people were counted, the latest to enter, and each count is a minimum. */
  readonly isComplete: boolean;
  readonly counted: number;
  readonly at: string;
};

type Counting = {
  /** Undefined until they are known. */
  readonly counts: StepCounts | undefined;
  readonly error: CombinedError | undefined;
  readonly isCounting: boolean;
};

/** Counts again whenever the journey is refetched. */
export function useStepCounts(journey: Journey): Counting {
  const client = useClient();
  const [counts, setCounts] = useState<StepCounts>();
  const [error, setError] = useState<CombinedError>();
  const [isCounting, setIsCounting] = useState(true);
  const { id } = journey;
  const count = useCallback(
    async (signal: AbortSignal) => {
      setIsCounting(true);
      const found = await countPeople(client, id, signal);
      if (signal.aborted) return;
      setIsCounting(false);
      setError('error' in found ? found.error : undefined);
      if (!('error' in found)) setCounts(found);
    },
    [client, id],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void count(leaving.signal);
    return () => leaving.abort();
  }, [count, journey]);
  return { counts, error, isCounting };
}

async function countPeople(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<StepCounts | { readonly error: CombinedError }> {
  const byStep = new Map<string, number>();
  let [pages, counted, isComplete] = [0, 0, true];
  for (const state of ['WAITING', 'READY'] as const) {
    let after: string | null = null;
    do {
      if (signal.aborted || pages === PAGES_MAX) {
        isComplete = false;
        break;
      }
      const answer = await pageOf(client, { id, state, after });
      if (answer.error !== undefined) return { error: answer.error };
      const page = answer.data?.journey?.enrolments;
      for (const { nodeId } of page?.nodes ?? []) byStep.set(nodeId, (byStep.get(nodeId) ?? 0) + 1);
      counted += page?.nodes.length ?? 0;
      pages += 1;
      after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
  }
  return { byStep, isComplete, counted, at: new Date().toISOString() };
}

function pageOf(
  client: Client,
  variables: { id: string; state: 'WAITING' | 'READY'; after: string | null },
) {
  return client.query(POSITIONS, variables, { requestPolicy: 'network-only' }).toPromise();
}
