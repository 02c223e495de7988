import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { inCount, inPercent } from '../../pieces/in-words.ts';

/** Enough for a share that is off by a percent or so. */
const REACH = graphql(`
  query CampaignReach($audience: JSON, $consentPurpose: String!) {
    audienceSize(audience: $audience, consentPurpose: $consentPurpose, examinedMax: 10000) {
      matching consenting examined isComplete
    }
  }
`);

export type Size = NonNullable<ResultOf<typeof REACH>['audienceSize']>;

type Audience = {
  /** As the API takes it; null is everybody. */
  readonly audience: unknown;
  readonly consentPurpose: string;
};

/** How many people are in an audience, and how many of them consent lets see the campaign. */
export function useReach({ audience, consentPurpose }: Audience, isPaused = false) {
  const text = JSON.stringify(audience);
  const variables = useMemo(
    () => ({ audience: JSON.parse(text), consentPurpose }),
    [text, consentPurpose],
  );
  const [{ data, error, fetching }] = useQuery({ query: REACH, variables, pause: isPaused });
  return { size: data?.audienceSize ?? undefined, error, isAsking: fetching };
}

export function Reach(props: Audience) {
  const { size, error } = useReach(props);
  if (error !== undefined) return 'Not known now';
  return size === undefined ? '…' : reachInWords(size, props.consentPurpose);
}

export function reachInWords(size: Size, consentPurpose: string): string {
  const { matching, consenting, examined, isComplete } = size;
  const count = isComplete
    ? `${inCount(matching)} of ${inCount(examined)} contacts`
    : `about ${inPercent(matching / examined)} of all contacts`;
  if (matching === 0) return count;
  const part = isComplete ? inCount(consenting) : `about ${inPercent(consenting / matching)}`;
  return `${count}; consent to ${consentPurpose} lets ${part} of them see it`;
}
