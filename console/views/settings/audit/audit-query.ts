import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** The entries of the organization and of the chosen workspace. */
export const AUDIT = graphql(`
  query AuditLog(
    $subjectType: String, $actorId: String, $since: DateTime, $after: String
  ) {
    organization {
      id
      auditEntries(
        first: 50, subjectType: $subjectType, actorId: $actorId, since: $since, after: $after
      ) {
        nodes { id action actorId subjectType subjectId before after requestId createdAt }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** The user ID of a contact, which its entries do not have. */
export const CONTACT = graphql(`
  query AuditedContact($id: ID!) { contact(id: $id) { id userId } }
`);

type Found = NonNullable<ResultOf<typeof AUDIT>['organization']>;
export type Entry = Found['auditEntries']['nodes'][number];
