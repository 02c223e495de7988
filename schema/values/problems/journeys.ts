/** The errors of journeys and of the pins of their enrolments. */
export const JOURNEY_PROBLEMS = {
  JOURNEY_CHANGED: {
    status: 409,
    title: 'The journey was changed by another request. Fetch the current version and try again.',
  },
  JOURNEY_STATUS: {
    status: 409,
    title: 'The status of the journey does not allow this action.',
  },
  JOURNEY_INCOMPLETE: {
    status: 422,
    title: 'A send node has no sendable version. Activate a version first.',
  },
  JOURNEY_TOO_LARGE: {
    status: 422,
    title: 'The nodes of the journey must not exceed 262,144 bytes as JSON.',
  },
  TOO_MANY_JOURNEYS: {
    status: 422,
    title: 'The workspace has reached its maximum number of journeys.',
  },
  ENROLMENT_ENDED: { status: 409, title: 'The enrolment has already ended.' },
  NOT_PINNED: {
    status: 409,
    title: 'The enrolment has no pinned version at this node.',
  },
  VERSION_NOT_SENDABLE: {
    status: 409,
    title: 'The version cannot be sent: it is not approved, or its channel currently rejects it.',
  },
  VERSION_OF_ANOTHER_NODE: {
    status: 422,
    title: 'The version must have the template, channel and language of the node.',
  },
  TEMPLATE_PINNED: {
    status: 409,
    title: 'Enrolments in flight are pinned to the template. End their journeys first.',
  },
} as const;
