import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { ProofType } from './agency.contract.ts';

export const DealProofSchema = defineEntity({
  name: 'DealProof',
  tableName: 'deal_proofs',
  properties: {
    id: p.uuid().primary(),
    dealId: p.uuid(),
    organizationId: p.uuid(),
    proofType: p.text().$type<ProofType>(),
    documentUrl: p.text(),
    notes: p.text().default(''),
    createdBy: p.text(),
    createdAt: instant(),
  },
});

/** Proof that an agency is working on a deal. The newest proof counts. */
export class DealProof extends DealProofSchema.class {}
DealProofSchema.setClass(DealProof);
