/** What journeys and the pins of those who are in them refuse with. */
export const JOURNEY_PROBLEMS = {
  JOURNEY_CHANGED: {
    status: 409,
    title: 'The journey was changed since that version; look at it again.',
  },
  JOURNEY_STATUS: {
    status: 409,
    title: 'The journey is not in a status from which this can follow.',
  },
  JOURNEY_INCOMPLETE: {
    status: 422,
    title: 'A send node has no version that could be sent; activate one first.',
  },
  JOURNEY_TOO_LARGE: {
    status: 422,
    title: 'The nodes of the journey are larger than 262,144 bytes as JSON.',
  },
  TOO_MANY_JOURNEYS: { status: 422, title: 'The workspace has as many journeys as it may.' },
  ENROLMENT_ENDED: { status: 409, title: 'The person is not in the journey any more.' },
  NOT_PINNED: {
    status: 409,
    title: 'The person has no version pinned at that node that could be held.',
  },
  VERSION_NOT_SENDABLE: {
    status: 409,
    title: 'The version cannot be sent: it is not approved, or its channel does not take it now.',
  },
  VERSION_OF_ANOTHER_NODE: {
    status: 422,
    title: 'The version is of another template, channel or language than the node.',
  },
  TEMPLATE_PINNED: {
    status: 409,
    title: 'People in flight are pinned to the template; end their journeys first.',
  },
} as const;
