import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const FOOTPRINT = graphql(`
  query PersonFootprint($userId: String!) {
    personFootprint(userId: $userId) {
      userIds anonymousIds sharedAnonymousIds otherContactIds confirmation
    }
  }
`);

/** Apart from the IDs, since it can take minutes and neither an erasure nor an export needs it. */
export const ROWS = graphql(`
  query PersonRows($userId: String!) {
    personFootprint(userId: $userId) {
      confirmation
      tables { engine table before outcome reason }
    }
  }
`);

export type Footprint = NonNullable<ResultOf<typeof FOOTPRINT>['personFootprint']>;
export type Tables = NonNullable<ResultOf<typeof ROWS>['personFootprint']>['tables'];

/** The part of a footprint that names the person in an erasure or an export. */
export function confirmedInput({ userIds, anonymousIds, confirmation }: Footprint) {
  return { userIds: [...userIds], anonymousIds: [...anonymousIds], confirmation };
}
