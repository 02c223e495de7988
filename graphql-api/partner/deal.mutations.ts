import { loaderById } from '../platform/graph/loader.ts';
import {
  changed,
  changedObject,
  mutation,
  type PayloadFields,
} from '../platform/graph/mutation.ts';
import {
  dealLoseContract,
  dealRegisterContract,
  dealSubmitProofContract,
  dealWinContract,
  dealWithdrawContract,
} from './agency.contract.ts';
import { dealLose, dealSubmitProof, dealWin, dealWithdraw } from './deal.advance.ts';
import { AgencyDealRef, agencyDealById, ProofTypeEnum } from './deal.graph.ts';
import { platformDeals } from './deal.reads.ts';
import { dealRegister } from './deal.register.ts';

const platformDealById = loaderById(platformDeals.byIds);

const updated = (load: typeof agencyDealById) => (t: PayloadFields<{ readonly id: string }>) => ({
  deal: changed(t, AgencyDealRef, load, 'The updated deal.'),
});

mutation({
  name: 'dealRegister',
  description:
    'Registers a prospect for the viewer’s agency. For 90 days, no other agency can register the prospect’s domain. The agency must submit proof within 14 days.',
  access: 'owner',
  input: t => ({
    prospectCompanyName: t.string({
      required: true,
      description: 'The prospect’s company name.',
    }),
    prospectDomain: t.string({
      required: true,
      description: 'The prospect’s domain, or the URL of any page on it.',
    }),
    prospectContactEmail: t.string({
      required: true,
      description: 'The email address of your contact at the prospect.',
    }),
    estimatedDealValue: t.field({
      type: 'Decimal',
      required: true,
      description: 'The estimated value of the deal, in the program’s currency.',
    }),
    notes: t.string({ description: 'Your notes about the deal.' }),
  }),
  contract: dealRegisterContract,
  codes: [
    'NOT_AGENCY',
    'RESELLER_AGREEMENT_REQUIRED',
    'PROSPECT_NOT_ALLOWED',
    'TOO_MANY_DEALS',
    'DEAL_LOCKED',
    'DEAL_ALREADY_REGISTERED',
  ],
  process: dealRegister,
  payload: changedObject('deal', AgencyDealRef, agencyDealById, 'The deal.'),
});

mutation({
  name: 'dealSubmitProof',
  description:
    'Submits proof that the agency is working on a deal. If proof is submitted again, only the newest proof counts.',
  access: 'owner',
  target: AgencyDealRef,
  input: t => ({
    proofType: t.field({
      type: ProofTypeEnum,
      required: true,
      description: 'The kind of progress that the proof shows.',
    }),
    proofDocumentUrl: t.string({
      required: true,
      description: 'The http or https URL of the proof document. The service does not fetch it.',
    }),
    notes: t.string({ description: 'Your notes about the proof.' }),
  }),
  contract: dealSubmitProofContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS', 'PROOF_DEADLINE_PASSED'],
  action: dealSubmitProof,
  payload: updated(agencyDealById),
});

mutation({
  name: 'dealWithdraw',
  description: 'Withdraws an open deal. Other agencies can then register the prospect’s domain.',
  access: 'owner',
  target: AgencyDealRef,
  contract: dealWithdrawContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealWithdraw,
  payload: updated(agencyDealById),
});

mutation({
  name: 'dealWin',
  description:
    'Marks a deal with the status PROOF_SUBMITTED as won and records its value. Platform admins only.',
  access: 'platformAdmin',
  target: AgencyDealRef,
  input: t => ({
    actualDealValue: t.field({
      type: 'Decimal',
      required: true,
      description: 'The final value of the deal, in the deal’s currency.',
    }),
  }),
  contract: dealWinContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealWin,
  payload: updated(platformDealById),
});

mutation({
  name: 'dealLose',
  description:
    'Marks a deal with the status PROOF_SUBMITTED as lost and records the reason. Platform admins only.',
  access: 'platformAdmin',
  target: AgencyDealRef,
  input: t => ({
    reason: t.string({
      required: true,
      description: 'The reason for the loss. Visible to the agency.',
    }),
  }),
  contract: dealLoseContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealLose,
  payload: updated(platformDealById),
});
