import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import {
  dealLoseContract,
  dealRegisterContract,
  dealSubmitProofContract,
  dealWinContract,
  dealWithdrawContract,
} from './agency.contract.ts';
import { dealLose, dealWin, dealWithdraw } from './deal.close.ts';
import { AgencyDealRef, agencyDealById, ProofTypeEnum } from './deal.graph.ts';
import { platformDealsByIds } from './deal.reads.ts';
import { dealRegister } from './deal.register.ts';
import { dealSubmitProof } from './deal.submit-proof.ts';

const platformDealById = loaderById(platformDealsByIds);

mutation({
  name: 'dealRegister',
  description:
    'Registers a prospect of the viewer’s agency: for 90 days no other agency may. A proof is due in 14.',
  access: 'owner',
  input: t => ({
    prospectCompanyName: t.string({ required: true, description: 'Who may buy.' }),
    prospectDomain: t.string({
      required: true,
      description: 'Their domain, or the address of a page of theirs.',
    }),
    prospectContactEmail: t.string({ required: true, description: 'Whom you know there.' }),
    estimatedDealValue: t.field({
      type: 'Decimal',
      required: true,
      description: 'What you expect, in the program’s currency.',
    }),
    notes: t.string({ description: 'For yourself.' }),
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
  payload: t => ({
    deal: t.field({
      type: AgencyDealRef,
      description: 'The new deal.',
      resolve: ({ result }, _args, graph) => result && agencyDealById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'dealSubmitProof',
  description: 'Shows that the agency works on a deal; the last proof counts.',
  access: 'owner',
  target: AgencyDealRef,
  input: t => ({
    proofType: t.field({ type: ProofTypeEnum, required: true, description: 'What it proves.' }),
    proofDocumentUrl: t.string({
      required: true,
      description: 'Where the document is: https only. It is never fetched.',
    }),
    notes: t.string({ description: 'What to know about it.' }),
  }),
  contract: dealSubmitProofContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS', 'PROOF_DEADLINE_PASSED'],
  action: dealSubmitProof,
  payload: t => ({
    deal: t.field({
      type: AgencyDealRef,
      description: 'The deal as it is now.',
      resolve: ({ result }, _args, graph) => result && agencyDealById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'dealWithdraw',
  description: 'Gives an open deal up: others may register the domain then.',
  access: 'owner',
  target: AgencyDealRef,
  contract: dealWithdrawContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealWithdraw,
  payload: t => ({
    deal: t.field({
      type: AgencyDealRef,
      description: 'The deal as it is now.',
      resolve: ({ result }, _args, graph) => result && agencyDealById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'dealWin',
  description: 'Says that a deal with a proof was won, and for how much, for platform admins.',
  access: 'platformAdmin',
  target: AgencyDealRef,
  input: t => ({
    actualDealValue: t.field({
      type: 'Decimal',
      required: true,
      description: 'What it came to, in the deal’s currency.',
    }),
  }),
  contract: dealWinContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealWin,
  payload: t => ({
    deal: t.field({
      type: AgencyDealRef,
      description: 'The deal as it is now.',
      resolve: ({ result }, _args, graph) => result && platformDealById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'dealLose',
  description: 'Says that a deal with a proof was lost, and why, for platform admins.',
  access: 'platformAdmin',
  target: AgencyDealRef,
  input: t => ({
    reason: t.string({ required: true, description: 'For the agency to read.' }),
  }),
  contract: dealLoseContract,
  codes: ['NOT_FOUND', 'DEAL_STATUS'],
  action: dealLose,
  payload: t => ({
    deal: t.field({
      type: AgencyDealRef,
      description: 'The deal as it is now.',
      resolve: ({ result }, _args, graph) => result && platformDealById(graph, result.id),
    }),
  }),
});
