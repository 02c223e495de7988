import type { ObjectRef } from '@pothos/core';
import { builder, type GraphContext, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { AgencyDeal } from './deal.entity.ts';
import {
  agencyDealsByIds,
  agencyDealsPage,
  platformDealsPage,
  platformProofsByDeals,
  proofsByDeals,
} from './deal.reads.ts';
import { dealStateAt } from './deal-clock.ts';
import type { DealProof } from './deal-proof.entity.ts';
import { organizationName } from './organization-name.ts';

export const agencyDealById = loaderById(agencyDealsByIds);
const proofsById = loaderById(proofsByDeals);
const platformProofsById = loaderById(platformProofsByDeals);

const DealStatusEnum = builder.enumType('DealStatus', {
  description: 'How a deal stands now.',
  values: {
    REGISTERED: { description: 'Open; a proof is due.' },
    PROOF_SUBMITTED: { description: 'Open, with a proof.' },
    WON: { description: 'The prospect bought.' },
    LOST: { description: 'The prospect did not buy.' },
    EXPIRED: { description: 'Its time was over; the reason says which.' },
    WITHDRAWN: { description: 'The agency gave it up.' },
  },
});

export const ProofTypeEnum = builder.enumType('ProofType', {
  description: 'What a proof proves.',
  values: {
    DEMO_SCHEDULED: { description: 'A demo is agreed on.' },
    PROPOSAL_SENT: { description: 'A proposal was sent.' },
    CONTRACT_SIGNED: { description: 'A contract is signed.' },
  },
});

const DealProofRef = builder.objectRef<DealProof>('DealProof').implement({
  description: 'That an agency works on a deal.',
  authScopes: { member: true },
  fields: t => ({
    proofType: t.field({
      type: ProofTypeEnum,
      nullable: false,
      description: 'What it proves.',
      resolve: ({ proofType }) => proofType,
    }),
    proofDocumentUrl: t.exposeString('documentUrl', {
      nullable: false,
      description: 'Where the document is. Nobody here has looked at it.',
    }),
    notes: t.exposeString('notes', { nullable: false, description: 'What to know about it.' }),
    submittedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was submitted.',
    }),
  }),
});

export const AgencyDealRef: ObjectRef<SchemaTypes, AgencyDeal> = builder.node(AgencyDeal, {
  name: 'AgencyDeal',
  description: 'A prospect that an agency registered: for a while nobody else may.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => agencyDealById(graph, id),
  fields: t => ({
    organizationId: t.id({
      nullable: false,
      description: 'The agency.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    organizationName: organizationName(t),
    prospectCompanyName: t.exposeString('prospectCompanyName', {
      nullable: false,
      description: 'Who may buy.',
    }),
    prospectDomain: t.exposeString('prospectDomain', {
      nullable: false,
      description: 'Their registrable domain.',
    }),
    prospectContactEmail: t.exposeString('prospectContactEmail', {
      nullable: false,
      description: 'Whom the agency knows there.',
    }),
    estimatedDealValue: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What the agency expects.',
      resolve: ({ estimatedValueMinor, currency }) => ({
        amountMinor: estimatedValueMinor,
        currencyCode: currency,
      }),
    }),
    actualDealValue: t.field({
      type: MoneyRef,
      description: 'What it came to; null unless it is won.',
      resolve: ({ actualValueMinor, currency }) =>
        actualValueMinor == null ? null : { amountMinor: actualValueMinor, currencyCode: currency },
    }),
    notes: t.exposeString('notes', { nullable: false, description: 'Of the agency.' }),
    status: t.field({
      type: DealStatusEnum,
      nullable: false,
      description: 'How it stands now.',
      resolve: (deal, _args, graph) => stateOf(deal, graph).status,
    }),
    statusReason: t.string({
      description: 'Why it expired (PROOF_NOT_SUBMITTED, EXCLUSIVITY_ENDED) or was lost.',
      resolve: (deal, _args, graph) => stateOf(deal, graph).statusReason,
    }),
    proofs: t.field({
      type: [DealProofRef],
      nullable: false,
      description: 'The last one first: it counts.',
      resolve: async (deal, _args, graph) => [...(await proofsOf(deal, graph))],
    }),
    proofDueAt: t.expose('proofDueAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Until when proofs are taken.',
    }),
    lockedUntil: t.expose('lockedUntil', {
      type: 'DateTime',
      nullable: false,
      description: 'Until when nobody else may register the domain.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was registered.',
    }),
    closedAt: t.field({
      type: 'DateTime',
      description: 'Since when it is not open any more.',
      resolve: (deal, _args, graph) => stateOf(deal, graph).closedAt,
    }),
  }),
});

const AgencyDealConnection = connectionType('AgencyDeal', AgencyDealRef);

builder.queryField('agencyDeals', t =>
  t.field({
    type: AgencyDealConnection,
    nullable: false,
    description: 'What the viewer’s agency registered.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: DealStatusEnum, description: 'Only those.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await agencyDealsPage(context, args, args), args),
  }),
);

builder.queryField('platformDeals', t =>
  t.field({
    type: AgencyDealConnection,
    nullable: false,
    description: 'What all agencies registered, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: DealStatusEnum, description: 'Only those.' }),
      organizationId: t.arg.id({ description: 'Only of this agency.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) => {
      const filter = {
        status: args.status,
        organizationId: args.organizationId
          ? uuidOf('Organization', args.organizationId)
          : undefined,
      };
      return connectionOfPage(await platformDealsPage(context, args, filter), args);
    },
  }),
);

function stateOf(deal: AgencyDeal, { context }: GraphContext) {
  return dealStateAt(deal, context.deps.clock.nowMs());
}

/** Another agency's deal is seen by platform admins only, who see its proofs too. */
async function proofsOf(
  { id, organizationId }: AgencyDeal,
  graph: GraphContext,
): Promise<readonly DealProof[]> {
  const isOwn = graph.context.viewer?.organizationId === organizationId;
  const known = await (isOwn ? proofsById : platformProofsById)(graph, id);
  return known?.proofs ?? [];
}
