import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const TEMPLATE = graphql(`
  query Template($id: ID!) {
    template(id: $id) { id name description version archivedAt createdAt updatedAt }
    templateVersions(templateId: $id, first: 100) {
      nodes {
        id
        channel
        language
        number
        state
        note
        basedOnId
        isPinnedActive
        upstreamHealth
        forceRollout
        pinnedCount
        createdAt
        createdBy
      }
      pageInfo { hasNextPage }
    }
  }
`);

export type Template = NonNullable<ResultOf<typeof TEMPLATE>['template']>;
export type VersionRow = ResultOf<typeof TEMPLATE>['templateVersions']['nodes'][number];
