export const PROOF_TYPES = {
  DEMO_SCHEDULED: 'Demo scheduled',
  PROPOSAL_SENT: 'Proposal sent',
  CONTRACT_SIGNED: 'Contract signed',
} as const;

export const PROOF_OPTIONS = Object.entries(PROOF_TYPES).map(([value, label]) => ({
  value,
  label,
}));
