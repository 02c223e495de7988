// Preconditions of mutations that need more than a valid input and the IDs of a standard tenant.
// The audit test fails for a mutation that it cannot make succeed.

import { v7 as uuidv7 } from 'uuid';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { type CampaignOptions, createCampaign, createContact } from '../../harness/campaign.ts';
import { newSecret, putWorkspaceSecret } from '../../harness/gateway-webhook.ts';
import { createTemplate, createVersion, type VersionOptions } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { EXPORT_CASES } from './export-cases.ts';
import { analystLoginIdOf, createAnalystLogin, FURNISHED_USER_ID, furnish } from './furnish.ts';
import { furnishPrivacy, retentionRuleIdOf } from './furnish-privacy.ts';
import { createCatalogEntry } from './furnish-templates.ts';
import { furnishWallet, walletIdOf } from './furnish-wallet.ts';
import { furnishWebhooks, webhookEndpointIdOf } from './furnish-webhooks.ts';
import { atGateway, furnishGateway, type GatewayNoun, gatewayIdOf, LINK_INPUT } from './gateway.ts';
import { JOURNEY_CASES } from './journey-cases.ts';
import { createDeadLetter, createParkedEvent, createRefusedRow } from './operations.ts';
import {
  createAffiliate,
  createAgency,
  createDeal,
  createKycSubmission,
  type DealOptions,
  kycInput,
  refer,
} from './partner.ts';
import { SEGMENT_CASES } from './segment-cases.ts';
import { MUTATION_INPUTS } from './tenancy-cases.ts';

export type AuditCase = {
  readonly id?: string;
  readonly input?: Readonly<Record<string, unknown>>;
};

/** The variables of a call that succeeds. Each function receives its own tenant. */
export const AUDIT_CASES: Readonly<Record<string, (tenant: Tenant) => Promise<AuditCase>>> = {
  affiliateUpgrade: async ({ organizationId }) => {
    await refer(organizationId, 11);
    return {};
  },
  agencyAppoint: async ({ organizationId }) => ({
    id: encodeNodeId('Organization', organizationId),
    input: { agreementSignedAt: '2026-01-02T00:00:00Z', agreementReference: 'walked' },
  }),
  analystLoginRevoke: async tenant => {
    await createAnalystLogin(tenant, true);
    return { id: encodeNodeId('AnalystLogin', analystLoginIdOf(tenant)) };
  },
  campaignArchive: campaignCase('LIVE'),
  campaignDuplicate: campaignCase('ARCHIVED'),
  campaignLaunch: campaignCase('DRAFT', { version: 1 }),
  campaignPause: campaignCase('LIVE'),
  campaignUpdate: campaignCase('DRAFT', { version: 1, name: 'walked' }),
  chargebackRecord: paidCase('chargebackRecord'),
  creditReschedule: walletCase('creditReschedule', 'Earning'),
  creditsRedeem: walletCase('creditsRedeem'),
  creditsToCash: walletCase('creditsToCash'),
  gatewayCredentialsRemove: async ({ workspaceId }) => {
    await putWorkspaceSecret({ workspaceId, secret: newSecret() });
    return {};
  },
  gatewaySecretRotate: async tenant => {
    await putWorkspaceSecret({ ...tenant, secret: newSecret() });
    return { input: MUTATION_INPUTS.gatewaySecretRotate!(tenant) };
  },
  consentBulkSet: async tenant => {
    await furnish(tenant);
    const consent = { userId: FURNISHED_USER_ID, purpose: 'marketing', status: 'DENIED' };
    return { input: { consents: [consent] } };
  },
  consentSet: contactCase({ purpose: 'marketing', status: 'DENIED' }),
  contactSuppress: contactCase(),
  contactUnsuppress: async tenant => {
    const { contactId } = await createContact(tenant.workspaceId, { isSuppressed: true });
    return { id: encodeNodeId('Contact', contactId) };
  },
  dealLose: dealCase('dealLose', 'PROOF_SUBMITTED'),
  dealRegister: async tenant => {
    await createAgency(tenant.organizationId);
    return { input: MUTATION_INPUTS.dealRegister!(tenant) };
  },
  dealSubmitProof: dealCase('dealSubmitProof'),
  dealWin: dealCase('dealWin', 'PROOF_SUBMITTED'),
  dealWithdraw: dealCase('dealWithdraw'),
  retentionRuleRemove: async tenant => {
    await furnishPrivacy(tenant);
    return { id: encodeNodeId('RetentionRule', retentionRuleIdOf(tenant)) };
  },
  deadLetterRedrive: async () => ({
    input: { ids: [encodeNodeId('DeadLetter', await createDeadLetter())] },
  }),
  gatewayEventsReplay: async tenant => ({
    input: { ids: [encodeNodeId('GatewayEvent', await createParkedEvent(tenant))] },
  }),
  kycApprove: kycCase(),
  kycReject: kycCase({ reason: 'walked' }),
  kycSubmit: async ({ organizationId }) => {
    await createAffiliate(organizationId);
    return { input: kycInput() };
  },
  billingLinkCreate: async ({ organizationId }) => ({
    input: { ...LINK_INPUT, organizationId: encodeNodeId('Organization', organizationId) },
  }),
  gatewayLinkCancel: gatewayCase('gatewayLinkCancel', 'Link'),
  gatewayRefundCreate: gatewayCase('gatewayRefundCreate'),
  gatewaySubscriptionCreate: gatewayCase('gatewaySubscriptionCreate'),
  gatewaySubscriptionManage: gatewayCase('gatewaySubscriptionManage', 'Subscription'),
  gatewayVendorDelete: gatewayCase('gatewayVendorDelete', 'Vendor'),
  gatewayVendorUpdate: gatewayCase('gatewayVendorUpdate', 'Vendor'),
  // An admin cannot close their own organization.
  organizationClose: async () => {
    const tenant = await createTenant();
    return {
      id: encodeNodeId('Organization', tenant.organizationId),
      input: MUTATION_INPUTS.organizationClose!(tenant),
    };
  },
  platformSubjectRestore: async ({ organizationId }) => {
    await revokeSubject(organizationId);
    const input = {
      userId: 'walked',
      organizationId: encodeNodeId('Organization', organizationId),
    };
    return { input };
  },
  subjectRestore: async ({ organizationId }) => {
    await revokeSubject(organizationId);
    return { input: { userId: 'walked' } };
  },
  outboxRowDiscard: refusedRowCase,
  outboxRowRetry: refusedRowCase,
  payoutAdvance: walletCase('payoutAdvance', 'Payout'),
  payoutBulkAdvance: walletCase('payoutBulkAdvance'),
  payoutRequest: walletCase('payoutRequest'),
  referralAttribute: async () => {
    const referrer = uuidv7();
    await sql('INSERT INTO organizations (id, name) VALUES ($1, $2)', [referrer, 'Referrer']);
    await refer(referrer, 0);
    return { input: { code: referrer.slice(-12) } };
  },
  refundRecord: paidCase('refundRecord'),
  ...JOURNEY_CASES,
  ...SEGMENT_CASES,
  ...EXPORT_CASES,
  templateArchive: templateCase('templateArchive'),
  templateReviewApprove: reviewCase(),
  templateReviewReject: reviewCase({ reason: 'walked' }),
  templateFromCatalogEntry: async () => ({
    input: { catalogEntryId: encodeNodeId('CatalogEntry', await createCatalogEntry()) },
  }),
  templateUpdate: templateCase('templateUpdate'),
  templateVersionActivate: versionCase('templateVersionActivate', 'Approved'),
  templateVersionCancel: versionCase('templateVersionCancel', 'Submitted'),
  templateVersionCreate: templateCase('templateVersionCreate'),
  templateVersionDiscard: versionCase('templateVersionDiscard', 'Draft'),
  templateVersionEdit: versionCase('templateVersionEdit', 'Draft'),
  templateVersionRestore: versionCase('templateVersionRestore', 'Rejected'),
  templateVersionSubmit: versionCase('templateVersionSubmit', 'Draft'),
  webhookDeliveriesReplay: async tenant => {
    await furnishWebhooks(tenant);
    return { input: MUTATION_INPUTS.webhookDeliveriesReplay!(tenant) };
  },
  webhookEndpointDelete: webhookCase('webhookEndpointDelete'),
  webhookEndpointDisable: webhookCase('webhookEndpointDisable'),
  webhookEndpointEnable: async tenant => {
    const known = await webhookCase('webhookEndpointEnable')(tenant);
    await sql(
      `UPDATE webhook_endpoints SET state = 'AUTO_DISABLED', disabled_reason = 'GONE', disabled_at = now()
       WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    return known;
  },
  webhookEndpointReplay: webhookCase('webhookEndpointReplay'),
  webhookEndpointTest: webhookCase('webhookEndpointTest'),
  webhookEndpointUpdate: webhookCase('webhookEndpointUpdate'),
  webhookSecretRotate: webhookCase('webhookSecretRotate'),
  cellUpdate: async () => {
    const [cell] = (await sql(`SELECT id, is_enabled FROM cells WHERE slug = 'default'`)) as [
      { id: string; is_enabled: boolean },
    ];
    // Set to its current value, because other tests of the run send to this cell.
    return { id: encodeNodeId('Cell', cell.id), input: { isEnabled: cell.is_enabled } };
  },
};

/** Mutations without an audit entry, each with the reason. */
export const NOT_AUDITED: Readonly<Record<string, string>> = {};

type Case = (tenant: Tenant) => Promise<AuditCase>;

function campaignCase(
  status: CampaignOptions['status'] & string,
  input?: AuditCase['input'],
): Case {
  return async ({ workspaceId }) => {
    const id = await createCampaign(workspaceId, { status, content: { title: 'Hello' } });
    return { id: encodeNodeId('Campaign', id), ...(input && { input }) };
  };
}

function contactCase(input?: AuditCase['input']): Case {
  return async ({ workspaceId }) => {
    const { contactId } = await createContact(workspaceId);
    return { id: encodeNodeId('Contact', contactId), ...(input && { input }) };
  };
}

/** For a tenant with one object of each kind, which the gateway knows. */
function gatewayCase(name: string, noun?: GatewayNoun): Case {
  return async tenant => {
    await furnishGateway(tenant);
    const paymentId = await atGateway(tenant);
    const id = noun && encodeNodeId(`Gateway${noun}`, gatewayIdOf(noun)(tenant));
    const input = MUTATION_INPUTS[name]?.(tenant);
    return {
      ...(id && { id }),
      ...(input && { input: { ...input, ...('paymentId' in input && { paymentId }) } }),
    };
  };
}

/** For a tenant whose wallet has every kind of transaction. */
function walletCase(name: string, noun?: 'Earning' | 'Payout'): Case {
  return async tenant => {
    await furnishWallet(tenant);
    const id = noun && encodeNodeId(noun, walletIdOf(noun)(tenant));
    return { ...(id && { id }), input: MUTATION_INPUTS[name]!(tenant) };
  };
}

/** For a tenant that has made a payment. */
function paidCase(name: string): Case {
  return async tenant => {
    await sql(
      `INSERT INTO payment_facts (id, organization_id, amount_minor, currency, cleared_at, outcome)
       VALUES ($1, $2, 10000, 'INR', now(), 'NO_REFERRER')`,
      [`payment-by-${tenant.organizationId}`, tenant.organizationId],
    );
    return { input: MUTATION_INPUTS[name]!(tenant) };
  };
}

async function refusedRowCase(tenant: Tenant): Promise<AuditCase> {
  return { input: { ids: [encodeNodeId('OutboxRow', await createRefusedRow(tenant))] } };
}

function kycCase(input: AuditCase['input'] = {}): Case {
  return async ({ organizationId }) => {
    const id = await createKycSubmission(organizationId);
    return { input: { ...input, ids: [encodeNodeId('KycSubmission', id)] } };
  };
}

function dealCase(name: string, status?: DealOptions['status'] & string): Case {
  return async tenant => {
    await createAgency(tenant.organizationId);
    const id = await createDeal(tenant.organizationId, { ...(status && { status }) });
    const input = MUTATION_INPUTS[name]?.(tenant);
    return { id: encodeNodeId('AgencyDeal', id), ...(input && { input }) };
  };
}

/** For an email template that waits for a person's verdict. */
function reviewCase(input: AuditCase['input'] = {}): Case {
  return async ({ workspaceId }) => {
    const templateId = await createTemplate(workspaceId);
    const submissionId = uuidv7();
    await createVersion(workspaceId, {
      templateId,
      state: 'Submitted',
      channel: 'email',
      submissionId,
    });
    return { input: { ...input, submissionId: encodeNodeId('TemplateSubmission', submissionId) } };
  };
}

function templateCase(name: string): Case {
  return async tenant => {
    const id = await createTemplate(tenant.workspaceId);
    const input = MUTATION_INPUTS[name]?.(tenant);
    return { id: encodeNodeId('Template', id), ...(input && { input }) };
  };
}

function versionCase(name: string, state: VersionOptions['state'] & string): Case {
  return async tenant => {
    const templateId = await createTemplate(tenant.workspaceId);
    const id = await createVersion(tenant.workspaceId, { templateId, state });
    const input = MUTATION_INPUTS[name]?.(tenant);
    return { id: encodeNodeId('TemplateVersion', id), ...(input && { input }) };
  };
}

function webhookCase(name: string): Case {
  return async tenant => {
    await furnishWebhooks(tenant);
    const input = MUTATION_INPUTS[name]?.(tenant);
    return {
      id: encodeNodeId('WebhookEndpoint', webhookEndpointIdOf(tenant)),
      ...(input && { input }),
    };
  };
}

async function revokeSubject(organizationId: string): Promise<void> {
  await sql(
    `INSERT INTO revoked_subjects (id, organization_id, subject, revoked_by, created_at)
     VALUES ($1, $2, 'walked', 'test', now())`,
    [uuidv7(), organizationId],
  );
}
