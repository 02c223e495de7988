import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const FOOTPRINT = graphql(`
  query PersonFootprint($userId: String!) {
    personFootprint(userId: $userId) {
      userIds anonymousIds sharedAnonymousIds otherContactIds confirmation
      tables { engine table before outcome reason }
    }
  }
`);

export type FootprintData = ResultOf<typeof FOOTPRINT>;
export type Footprint = NonNullable<FootprintData['personFootprint']>;

/** The part of a footprint that names the person in an erasure or an export. */
export function confirmedInput({ userIds, anonymousIds, confirmation }: Footprint) {
  return { userIds: [...userIds], anonymousIds: [...anonymousIds], confirmation };
}
