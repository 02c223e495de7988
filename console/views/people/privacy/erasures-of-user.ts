import { graphql } from '../../../graph/graphql.ts';

/** The erasure of the person with a user ID, which is found until it is completed. */
export const ERASURES_OF_USER = graphql(`
  query ErasuresOfUser($userId: String!) {
    personErasures(first: 1, userId: $userId) { nodes { id } }
  }
`);
