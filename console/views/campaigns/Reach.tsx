import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { inCount, inPercent } from '../../pieces/in-words.ts';

/** Enough for a share that is off by a percent or so. */
const REACH = graphql(`
  query CampaignReach($id: ID!) {
    campaign(id: $id) { id audienceSize(examinedMax: 10000) { matching examined isComplete } }
  }
`);

/** How many people are in the audience. */
export function Reach({ id }: { readonly id: string }) {
  const [{ data, error }] = useQuery({ query: REACH, variables: { id } });
  if (error !== undefined) return 'Not known now';
  const size = data?.campaign?.audienceSize;
  if (!size) return '…';
  const { matching, examined, isComplete } = size;
  if (isComplete) return `${inCount(matching)} of ${inCount(examined)} contacts`;
  return `About ${inPercent(matching / examined)} of all contacts`;
}
