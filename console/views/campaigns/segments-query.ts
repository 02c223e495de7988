import { graphql } from '../../graph/graphql.ts';

export const SEGMENTS = graphql(`
  query AudienceSegments($includeArchived: Boolean!) {
    segments(first: 100, includeArchived: $includeArchived) {
      nodes { id audienceId name memberCount evaluatedAt }
    }
  }
`);
