export const PROOF_TYPES = {
  DEMO_SCHEDULED: 'A demo is agreed on',
  PROPOSAL_SENT: 'A proposal was sent',
  CONTRACT_SIGNED: 'A contract is signed',
} as const;

export const PROOF_OPTIONS = Object.entries(PROOF_TYPES).map(([value, label]) => ({
  value,
  label,
}));
