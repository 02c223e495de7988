import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const PERSON = graphql(`
  query Person($userId: String!) {
    contactByUserId(userId: $userId) {
      id userId anonymousId traits traitsBytes suppressedAt createdAt updatedAt
      consents { purpose status source recordedAt }
      devices { platform status maskedToken appVersion registeredAt deactivatedAt }
    }
  }
`);

/** So that a person who is unknown is queried again once a contact changes. */
export const OF_PERSON = { additionalTypenames: ['Contact'] };

export type Person = NonNullable<ResultOf<typeof PERSON>['contactByUserId']>;
