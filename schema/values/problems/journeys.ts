/** Errors of journeys, enrolments and pins. */
export const JOURNEY_PROBLEMS = {
  JOURNEY_CHANGED: {
    status: 409,
    title: 'The journey was changed since this version. Reload it and try again.',
  },
  JOURNEY_STATUS: {
    status: 409,
    title: 'The status of the journey does not allow this.',
  },
  JOURNEY_INCOMPLETE: {
    status: 422,
    title: 'A send node has no template version that can be sent. Activate one first.',
  },
  JOURNEY_TOO_LARGE: {
    status: 422,
    title: 'The nodes of the journey must be at most 262,144 bytes as JSON.',
  },
  TOO_MANY_JOURNEYS: {
    status: 422,
    title: 'The workspace has reached its maximum number of journeys.',
  },
  ENROLMENT_ENDED: { status: 409, title: 'The enrolment of the person has ended.' },
  NOT_PINNED: {
    status: 409,
    title: 'The person has no pinned version at this node that can be kept.',
  },
  VERSION_NOT_SENDABLE: {
    status: 409,
    title: 'The version cannot be sent: it is not approved, or its channel does not accept it now.',
  },
  VERSION_OF_ANOTHER_NODE: {
    status: 422,
    title: 'The version belongs to a different template, channel or language than the node.',
  },
  TEMPLATE_PINNED: {
    status: 409,
    title: 'People in flight are pinned to this template. End their enrolments first.',
  },
} as const;
