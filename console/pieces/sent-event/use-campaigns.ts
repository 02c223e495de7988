import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';

const CAMPAIGNS = graphql(`
  query CampaignNames { campaigns(first: 100) { nodes { id sdkId name } } }
`);

export type NamedCampaign = { readonly id: string; readonly name: string };

/** The newest campaigns, by the ID that SDKs send. One query for all components that use it. */
export function useCampaigns(isNeeded: boolean): ReadonlyMap<string, NamedCampaign> {
  const [{ data }] = useQuery({
    query: CAMPAIGNS,
    pause: !isNeeded,
    requestPolicy: 'cache-first',
  });
  return useMemo(
    () => new Map(data?.campaigns.nodes.map(campaign => [campaign.sdkId, campaign])),
    [data],
  );
}
