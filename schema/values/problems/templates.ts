/** Errors of templates and template versions. */
export const TEMPLATE_PROBLEMS = {
  TEMPLATE_ARCHIVED: { status: 409, title: 'The template is archived and cannot be changed.' },
  TEMPLATE_CHANGED: {
    status: 409,
    title: 'The template or the version was changed since this revision. Reload it and try again.',
  },
  TEMPLATE_VERSION_STATE: {
    status: 409,
    title: 'The state of the version does not allow this.',
  },
  TEMPLATE_NOT_SUBMITTABLE: {
    status: 422,
    title: 'The channel does not accept this message. Fix the blocking findings first.',
  },
  TEMPLATE_SUBMISSION_DECIDED: {
    status: 409,
    title: 'The submission is no longer pending, or the approver of another channel decides it.',
  },
  TEMPLATE_SYNC_TOO_SOON: {
    status: 429,
    title: 'The approvers were synced a moment ago. Retry in a few seconds.',
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
