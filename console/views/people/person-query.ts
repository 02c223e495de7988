import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const PERSON = graphql(`
  query Person($userId: String!) {
    contactByUserId(userId: $userId) {
      id userId anonymousId traits traitsBytes suppressedAt createdAt updatedAt
      consents { purpose status source recordedAt }
      devices { platform status maskedToken appVersion registeredAt deactivatedAt }
      enrolments(first: 20) {
        nodes {
          id state enteredAt endedAt
          journey { id name status }
          versions {
            nodeId
            pinned { id number template { id name } }
            override { id number template { id name } }
          }
        }
        pageInfo { hasNextPage }
      }
    }
  }
`);

/** So that what is missing is queried again: a person after a change of contacts, an enrolment after one. */
export const OF_PERSON = { additionalTypenames: ['Contact', 'Enrolment'] };

export type Person = NonNullable<ResultOf<typeof PERSON>['contactByUserId']>;
