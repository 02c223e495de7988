import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const SEGMENT = graphql(`
  query Segment($id: ID!) {
    segment(id: $id) {
      id audienceId name rule memberCount version evaluatedAt archivedAt fault createdAt updatedAt
    }
  }
`);

export type Segment = NonNullable<ResultOf<typeof SEGMENT>['segment']>;

/** By the API's code. */
export const MESSAGES: Readonly<Record<string, string>> = {
  TOO_MANY_SEGMENTS: 'The workspace has reached its maximum number of segments. Archive one first.',
  SEGMENT_ARCHIVED: 'The segment was archived in the meantime and can’t be changed.',
  SEGMENT_IN_USE:
    'A live campaign or an active journey uses the segment. First pause it or remove the segment from it.',
};
