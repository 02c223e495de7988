import type { DealStatus } from './deals-query.ts';

export type BoardColumn = { readonly title: string; readonly statuses: readonly DealStatus[] };

/** From left to right. The last one has the deals that ended without an answer of the prospect. */
export const BOARD_COLUMNS: readonly BoardColumn[] = [
  { title: 'Registered', statuses: ['REGISTERED'] },
  { title: 'Proof submitted', statuses: ['PROOF_SUBMITTED'] },
  { title: 'Won', statuses: ['WON'] },
  { title: 'Lost', statuses: ['LOST'] },
  { title: 'Ended', statuses: ['EXPIRED', 'WITHDRAWN'] },
];

export const columnOf = (status: DealStatus): number =>
  BOARD_COLUMNS.findIndex(({ statuses }) => statuses.includes(status));
