import { graphql } from '../../../graph/graphql.ts';

export const ACTIVATE = graphql(`
  mutation JourneyActivate($id: ID!, $input: JourneyActivateInput!) {
    journeyActivate(id: $id, input: $input) {
      journey { id status version updatedAt }
      userErrors { message field code }
    }
  }
`);

export const PAUSE = graphql(`
  mutation JourneyPause($id: ID!) {
    journeyPause(id: $id) {
      journey { id status version updatedAt }
      userErrors { message field code }
    }
  }
`);

export const ARCHIVE = graphql(`
  mutation JourneyArchive($id: ID!) {
    journeyArchive(id: $id) {
      journey { id status version updatedAt }
      userErrors { message field code }
    }
  }
`);

export const ENROL = graphql(`
  mutation JourneyEnrol($id: ID!, $input: JourneyEnrolInput!) {
    journeyEnrol(id: $id, input: $input) {
      enrolmentIds
      alreadyInside
      unknownUserIds
      userErrors { message field code }
    }
  }
`);

/** Refusals by their codes. */
export const MESSAGES: Readonly<Record<string, string>> = {
  JOURNEY_INCOMPLETE:
    'A message of the journey has no active version. Activate a version of its template first.',
  JOURNEY_CHANGED:
    'Someone else changed the journey. Reload the page, review the changes and try again.',
  JOURNEY_STATUS: 'The state of the journey has changed and does not allow this. Reload the page.',
  SEGMENT_NOT_READY:
    'The members of the entry segment are still being counted. Try again in a few seconds.',
};
