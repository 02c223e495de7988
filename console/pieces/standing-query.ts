import { graphql } from '../graph/graphql.ts';

/** The organization's status in the program determines the available actions. */
export const STANDING = graphql(`
  query PartnerStanding {
    referralProgram { partnerStatus }
  }
`);
