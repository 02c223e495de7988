import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ORGANIZATIONS = graphql(`
  query PlatformOrganizations($search: String, $after: String) {
    platformOrganizations(first: 50, search: $search, after: $after) {
      nodes {
        id name createdAt closedAt eraseAt erasedAt ingressEventsPerMinute ownIngressEventsPerMinute
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Organization = ResultOf<typeof ORGANIZATIONS>['platformOrganizations']['nodes'][number];

export const REGIONS = graphql(`
  query OperationsRegions { regions }
`);

export const CREATE = graphql(`
  mutation OrganizationCreate($input: OrganizationCreateInput!) {
    organizationCreate(input: $input) {
      organization { id name }
      workspaceId
      writeKey
      userErrors { code message field }
    }
  }
`);

export const CLOSE = graphql(`
  mutation OrganizationClose($id: ID!, $confirm: String!) {
    organizationClose(id: $id, input: { confirm: $confirm }) {
      organization { id closedAt eraseAt }
      userErrors { code message field }
    }
  }
`);

export const LIMIT = graphql(`
  mutation IngressLimitSet($input: IngressLimitSetInput!) {
    ingressLimitSet(input: $input) {
      organization { id ingressEventsPerMinute ownIngressEventsPerMinute }
      userErrors { code message field }
    }
  }
`);
