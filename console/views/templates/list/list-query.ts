import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const TEMPLATE_LIST = graphql(`
  query TemplateList($after: String, $search: String, $isArchived: Boolean) {
    templates(first: 25, after: $after, search: $search, isArchived: $isArchived) {
      nodes {
        id
        name
        description
        updatedAt
        archivedAt
        approvedVersions { id channel language number state pinnedCount }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** The versions in progress, in a separate query, so that the list does not wait for it. */
export const UNDER_WAY = graphql(`
  query TemplatesUnderWay {
    drafts: templateVersions(first: 50, state: DRAFT) { nodes { id template { id } } }
    submitted: templateVersions(first: 50, state: SUBMITTED) { nodes { id template { id } } }
  }
`);

export type TemplateRow = ResultOf<typeof TEMPLATE_LIST>['templates']['nodes'][number];
