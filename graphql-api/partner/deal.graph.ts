import type { ObjectRef } from '@pothos/core';
import type { GraphContext, SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { uuidOf } from '../platform/graph/node-id.ts';
import type { AgencyDeal } from './deal.entity.ts';
import {
  agencyDeals,
  platformDeals,
  platformProofsByDeals,
  proofsByDeals,
  withStatus,
} from './deal.reads.ts';
import { dealStateAt } from './deal-clock.ts';
import type { DealProof } from './deal-proof.entity.ts';
import { organizationFields } from './organization-name.ts';

export const agencyDealById = loaderById(agencyDeals.byIds);
const proofsById = loaderById(proofsByDeals);
const platformProofsById = loaderById(platformProofsByDeals);

const DealStatusEnum = describedEnum('DealStatus', 'The status of a deal.', {
  REGISTERED: 'The deal is open. Proof must be submitted before `proofDueAt`.',
  PROOF_SUBMITTED: 'The deal is open, and proof has been submitted.',
  WON: 'The prospect became a customer.',
  LOST: 'The prospect did not become a customer.',
  EXPIRED: 'The deal expired. `statusReason` names the deadline that passed.',
  WITHDRAWN: 'The agency withdrew the deal.',
});

export const ProofTypeEnum = describedEnum(
  'ProofType',
  'The kind of progress that a proof shows.',
  {
    DEMO_SCHEDULED: 'A demo was scheduled.',
    PROPOSAL_SENT: 'A proposal was sent.',
    CONTRACT_SIGNED: 'A contract was signed.',
  },
);

const DealProofRef = memberObject<DealProof>('DealProof', {
  description: 'Proof that an agency is working on a deal.',
  fields: t => ({
    ...expose(t, ProofTypeEnum, { proofType: 'The kind of progress that the proof shows.' }),
    proofDocumentUrl: t.exposeString('documentUrl', {
      nullable: false,
      description: 'The URL of the proof document. The service does not fetch or check it.',
    }),
    ...expose(t, 'String!', { notes: 'The agency’s notes about the proof.' }),
    submittedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the proof was submitted.',
    }),
  }),
});

export const AgencyDealRef: ObjectRef<SchemaTypes, AgencyDeal> = memberNode(
  'AgencyDeal',
  agencyDealById,
  {
    description:
      'A prospect registered by an agency. No other agency can register the prospect’s domain until `lockedUntil`.',
    fields: t => ({
      ...organizationFields(t, 'The ID of the agency’s organization.'),
      ...expose(t, 'String!', {
        prospectCompanyName: 'The prospect’s company name.',
        prospectDomain: 'The registrable domain of the prospect.',
        prospectContactEmail: 'The email address of the agency’s contact at the prospect.',
        notes: 'The agency’s notes about the deal.',
      }),
      estimatedDealValue: money(t, 'estimatedValueMinor', {
        description: 'The agency’s estimate of the deal’s value.',
      }),
      actualDealValue: money(t, 'actualValueMinor', {
        nullable: true,
        description: 'The value of the deal when it was won; null if it was not won.',
      }),
      status: t.field({
        type: DealStatusEnum,
        nullable: false,
        description: 'The status of the deal.',
        resolve: (deal, _args, graph) => stateOf(deal, graph).status,
      }),
      statusReason: t.string({
        description:
          'Why the deal expired (`PROOF_NOT_SUBMITTED` or `EXCLUSIVITY_ENDED`) or was lost; null otherwise.',
        resolve: (deal, _args, graph) => stateOf(deal, graph).statusReason,
      }),
      proofs: t.field({
        type: [DealProofRef],
        nullable: false,
        description: 'The submitted proofs, newest first. Only the newest proof counts.',
        resolve: async (deal, _args, graph) => [...(await proofsOf(deal, graph))],
      }),
      ...expose(t, 'DateTime!', {
        proofDueAt: 'The deadline for submitting proof.',
        lockedUntil: 'When the agency’s exclusive right to the domain ends.',
        createdAt: 'When the deal was registered.',
      }),
      closedAt: t.field({
        type: 'DateTime',
        description: 'When the deal was closed; null if it is open.',
        resolve: (deal, _args, graph) => stateOf(deal, graph).closedAt,
      }),
    }),
  },
);

const AgencyDealConnection = connectionType('AgencyDeal', AgencyDealRef);

pageQuery('agencyDeals', {
  type: AgencyDealConnection,
  description: 'The deals registered by the viewer’s agency.',
  args: arg => ({
    status: arg({ type: DealStatusEnum, description: 'Filters by current status.' }),
  }),
  page: (context, page, { status }) => agencyDeals.page(context, page, withStatus(status, context)),
});

pageQuery('platformDeals', {
  type: AgencyDealConnection,
  description: 'The deals of all agencies. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    status: arg({ type: DealStatusEnum, description: 'Filters by current status.' }),
    organizationId: arg.id({ description: 'Filters by agency.' }),
  }),
  page: (context, page, { status, organizationId }) =>
    platformDeals.page(context, page, {
      ...(withStatus(status, context) as object),
      ...(organizationId && { organizationId: uuidOf('Organization', organizationId) }),
    }),
});

function stateOf(deal: AgencyDeal, { context }: GraphContext) {
  return dealStateAt(deal, context.deps.clock.nowMs());
}

/** Only platform admins can load another agency’s deal, and they can also see its proofs. */
async function proofsOf(
  { id, organizationId }: AgencyDeal,
  graph: GraphContext,
): Promise<readonly DealProof[]> {
  const isOwn = graph.context.viewer?.organizationId === organizationId;
  const known = await (isOwn ? proofsById : platformProofsById)(graph, id);
  return known?.proofs ?? [];
}
