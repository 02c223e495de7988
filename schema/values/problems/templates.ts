/** What templates and their versions refuse with. */
export const TEMPLATE_PROBLEMS = {
  TEMPLATE_ARCHIVED: { status: 409, title: 'The template was deleted; nothing follows.' },
  TEMPLATE_CHANGED: {
    status: 409,
    title: 'It was changed since that revision; look at it again.',
  },
  TEMPLATE_VERSION_STATE: {
    status: 409,
    title: 'The version is not in a state from which this can follow.',
  },
  TEMPLATE_NOT_SUBMITTABLE: {
    status: 422,
    title: 'The channel takes no such message; mend what is found first.',
  },
  TEMPLATE_SUBMISSION_DECIDED: {
    status: 409,
    title: 'The submission is no longer pending, or another channel’s approver decides it.',
  },
  TEMPLATE_SYNC_TOO_SOON: {
    status: 429,
    title: 'The approvers were asked a moment ago; ask again in some seconds.',
  },
  TOO_MANY_TEMPLATES: { status: 422, title: 'The workspace has as many templates as it may.' },
  TOO_MANY_TEMPLATE_VERSIONS: {
    status: 422,
    title: 'The template has as many versions as it may.',
  },
} as const;
