// The state machine of a template version. A database trigger enforces the same transitions
// (migration 0041).

export const TEMPLATE_STATES = [
  'Draft',
  'Submitted',
  'Approved',
  'Active',
  'Superseded',
  'Rejected',
  'Archived',
] as const;
export type TemplateState = (typeof TEMPLATE_STATES)[number];

/** The allowed transitions. `supersede` is applied when another version becomes Active. */
const TRANSITIONS = {
  submit: { from: ['Draft'], to: 'Submitted' },
  cancel: { from: ['Submitted'], to: 'Draft' },
  approve: { from: ['Submitted'], to: 'Approved' },
  reject: { from: ['Submitted'], to: 'Rejected' },
  activate: { from: ['Approved', 'Superseded'], to: 'Active' },
  supersede: { from: ['Active'], to: 'Superseded' },
  discard: { from: ['Draft', 'Rejected'], to: 'Archived' },
  archive: {
    from: ['Draft', 'Submitted', 'Approved', 'Active', 'Superseded', 'Rejected'],
    to: 'Archived',
  },
} as const satisfies Record<
  string,
  { readonly from: readonly TemplateState[]; readonly to: TemplateState }
>;

export type TemplateTrigger = keyof typeof TRANSITIONS;
export const TEMPLATE_TRIGGERS = Object.keys(TRANSITIONS) as readonly TemplateTrigger[];

/** Returns the state that the trigger leads to; undefined if it is not allowed from `from`. */
export function nextState(
  from: TemplateState,
  trigger: TemplateTrigger,
): TemplateState | undefined {
  const { from: allowed, to }: { from: readonly TemplateState[]; to: TemplateState } =
    TRANSITIONS[trigger];
  return allowed.includes(from) ? to : undefined;
}

/** Approved and not archived. Sendable if the channel's health report allows it. */
export const SENDABLE_STATES = ['Approved', 'Active', 'Superseded'] as const;

export function isApprovedState(state: TemplateState): boolean {
  return (SENDABLE_STATES as readonly TemplateState[]).includes(state);
}

export const UPSTREAM_HEALTHS = ['OK', 'FLAGGED', 'PAUSED', 'DISABLED'] as const;
export type UpstreamHealth = (typeof UPSTREAM_HEALTHS)[number];

type Sendable = {
  readonly state: TemplateState;
  readonly upstreamHealth: UpstreamHealth;
  readonly healthUntil?: Date | null | undefined;
};

/** Whether the channel currently accepts the version. A pause without an end does not expire. */
export function isSendableAt(version: Sendable, nowMs: number): boolean {
  const { state, upstreamHealth, healthUntil } = version;
  if (!isApprovedState(state) || upstreamHealth === 'DISABLED') return false;
  if (upstreamHealth !== 'PAUSED') return true;
  return healthUntil != null && healthUntil.getTime() <= nowMs;
}
