import { graphql } from '../../graph/graphql.ts';

/** What the organisation is in the program decides what is offered. */
export const STANDING = graphql(`
  query PartnerStanding {
    referralProgram { partnerStatus }
  }
`);
