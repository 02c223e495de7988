import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const TERMS = graphql(`
  query ProgramTerms {
    programTerms {
      region currencyCode creditRateBps holdDays commissionRateBps commissionMonths
      commissionAgeDays dormancyDays updatedAt
      payoutMinimum { amount currencyCode }
    }
  }
`);

export type Terms = ResultOf<typeof TERMS>['programTerms'][number];

export const UPDATE = graphql(`
  mutation ProgramTermsUpdate($input: ProgramTermsUpdateInput!) {
    programTermsUpdate(input: $input) {
      programTerms { region updatedAt }
      userErrors { code message field }
    }
  }
`);

export const REGION_SET = graphql(`
  mutation PartnerRegionSet($input: PartnerRegionSetInput!) {
    partnerRegionSet(input: $input) {
      programTerms { region }
      userErrors { code message field }
    }
  }
`);
