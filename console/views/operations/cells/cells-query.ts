import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const CELLS = graphql(`
  query Cells($after: String) {
    cells(first: 50, after: $after) {
      nodes { id slug region isEnabled workspaceCount ingressEventsPerMinute createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Cell = ResultOf<typeof CELLS>['cells']['nodes'][number];

export const CREATE = graphql(`
  mutation CellCreate($input: CellCreateInput!) {
    cellCreate(input: $input) {
      cell { id slug region isEnabled workspaceCount ingressEventsPerMinute createdAt }
      userErrors { code message field }
    }
  }
`);

export const UPDATE = graphql(`
  mutation CellUpdate($id: ID!, $input: CellUpdateInput!) {
    cellUpdate(id: $id, input: $input) {
      cell { id isEnabled ingressEventsPerMinute }
      userErrors { code message field }
    }
  }
`);
