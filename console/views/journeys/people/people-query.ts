import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ENROLMENT_FIELDS = graphql(`
  fragment EnrolmentFields on Enrolment {
    id
    state
    nodeId
    nextAt
    enteredAt
    endedAt
    contact { id userId }
    versions {
      nodeId
      pinned { id number channel language template { id name } }
      override { id number channel language template { id name } }
      overrideKind
      overrideReason
    }
  }
`);

export const PEOPLE = graphql(
  `
  query JourneyPeople(
    $id: ID!, $state: EnrolmentState, $isInFlight: Boolean, $userId: String, $after: String
  ) {
    journey(id: $id) {
      id
      enrolments(
        first: 25, state: $state, isInFlight: $isInFlight, userId: $userId, after: $after
      ) {
        nodes { ...EnrolmentFields }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`,
  [ENROLMENT_FIELDS],
);

export const PERSON = graphql(
  `
  query JourneyPerson($id: ID!) { enrolment(id: $id) { ...EnrolmentFields } }
`,
  [ENROLMENT_FIELDS],
);

/** Each of these changes one enrolment, and the journey's numbers with it. */
export const EXIT = graphql(
  `
  mutation EnrolmentExit($id: ID!) {
    enrolmentExit(id: $id) {
      enrolment { ...EnrolmentFields journey { id inFlightCount } }
      userErrors { message field code }
    }
  }
`,
  [ENROLMENT_FIELDS],
);

export const HOLD = graphql(
  `
  mutation EnrolmentHoldCurrent($id: ID!, $input: EnrolmentHoldCurrentInput!) {
    enrolmentHoldCurrent(id: $id, input: $input) {
      enrolment { ...EnrolmentFields }
      userErrors { message field code }
    }
  }
`,
  [ENROLMENT_FIELDS],
);

export const OVERRIDE = graphql(
  `
  mutation EnrolmentOverride($id: ID!, $input: EnrolmentOverrideInput!) {
    enrolmentOverride(id: $id, input: $input) {
      enrolment { ...EnrolmentFields }
      userErrors { message field code }
    }
  }
`,
  [ENROLMENT_FIELDS],
);

export const OVERRIDE_REMOVE = graphql(
  `
  mutation EnrolmentOverrideRemove($id: ID!, $input: EnrolmentOverrideRemoveInput!) {
    enrolmentOverrideRemove(id: $id, input: $input) {
      enrolment { ...EnrolmentFields }
      userErrors { message field code }
    }
  }
`,
  [ENROLMENT_FIELDS],
);

export type Person = ResultOf<typeof ENROLMENT_FIELDS>;
export type Held = Person['versions'][number];

/** Refusals by their codes. */
export const MESSAGES: Readonly<Record<string, string>> = {
  ENROLMENT_ENDED: 'They have left the journey in the meantime.',
  NOT_PINNED: 'No version is pinned for them at this step.',
  VERSION_NOT_SENDABLE: 'This version can’t be sent now. Choose another one.',
  VERSION_OF_ANOTHER_NODE: 'This version belongs to another message.',
};
