import { graphql } from '../../graph/graphql.ts';

/** What the organization is in the program decides what is offered. */
export const STANDING = graphql(`
  query PartnerStanding {
    referralProgram { partnerStatus }
  }
`);
