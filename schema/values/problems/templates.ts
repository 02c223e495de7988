/** The errors of templates and their versions. */
export const TEMPLATE_PROBLEMS = {
  TEMPLATE_ARCHIVED: { status: 409, title: 'The template is archived and cannot be changed.' },
  TEMPLATE_CHANGED: {
    status: 409,
    title: 'It was changed by another request. Fetch the current revision and try again.',
  },
  TEMPLATE_VERSION_STATE: {
    status: 409,
    title: 'The state of the version does not allow this action.',
  },
  TEMPLATE_NOT_SUBMITTABLE: {
    status: 422,
    title: 'The channel does not accept this message. Fix the findings and submit again.',
  },
  TEMPLATE_SUBMISSION_DECIDED: {
    status: 409,
    title: 'The submission is not pending, or is decided by the approver of another channel.',
  },
  TEMPLATE_SYNC_TOO_SOON: {
    status: 429,
    title: 'The last sync was a moment ago. Try again in a few seconds.',
  },
  TOO_MANY_TEMPLATES: {
    status: 422,
    title: 'The workspace has reached its maximum number of templates.',
  },
  TOO_MANY_TEMPLATE_VERSIONS: {
    status: 422,
    title: 'The template has reached its maximum number of versions.',
  },
} as const;
