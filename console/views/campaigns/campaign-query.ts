import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const CAMPAIGN_FIELDS = graphql(`
  fragment CampaignFields on Campaign {
    id sdkId name type status surfaces content priority startsAt endsAt audience consentPurpose
    endsOn isCapExempt version createdAt updatedAt
    caps { totalMax windowMax windowSeconds intervalSecondsMin }
    variants { id weight content }
  }
`);

export const CAMPAIGN = graphql(
  `
  query Campaign($id: ID!) { campaign(id: $id) { ...CampaignFields } }
`,
  [CAMPAIGN_FIELDS],
);

export type Campaign = ResultOf<typeof CAMPAIGN_FIELDS>;
