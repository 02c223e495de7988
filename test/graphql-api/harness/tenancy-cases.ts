// The cases of the tenancy test for each noun. The test fails for a node type or mutation that is
// missing here, so every new noun is covered.

import { randomUUID } from 'node:crypto';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { EXPORT_INPUTS, exportIdOf } from './export-cases.ts';
import { analystLoginIdOf, campaignIdOf, contactIdOf, FURNISHED_USER_ID } from './furnish.ts';
import { enrolmentIdOf, journeyIdOf } from './furnish-journeys.ts';
import { certificateIdOf, dealIdOf } from './furnish-partner.ts';
import {
  confirmedNobody,
  erasureIdOf,
  personExportIdOf,
  retentionRuleIdOf,
} from './furnish-privacy.ts';
import { templateIdOf, templateVersionIdOf } from './furnish-templates.ts';
import { codeOf, invoiceIdOf, walletIdOf } from './furnish-wallet.ts';
import { NOBODYS_URL, webhookDeliveryIdOf, webhookEndpointIdOf } from './furnish-webhooks.ts';
import {
  gatewayIdOf,
  gatewayPaymentIdOf,
  LINK_INPUT,
  ORDER_INPUT,
  PLAN_INPUT,
  subscriptionInput,
  VENDOR_INPUT,
} from './gateway.ts';
import { JOURNEY_INPUTS } from './journey-cases.ts';
import { replayIdOf } from './operations.ts';
import { kycBody, kycInput } from './partner.ts';
import { lastHours, REPORTED_CAMPAIGN_ID } from './report-rows.ts';
import { SEGMENT_INPUTS, segmentIdOf, WALKED_RULE } from './segment-cases.ts';

/** The UUID of the tenant's object of each node type. */
export const NODE_IDS: Readonly<Record<string, (tenant: Tenant) => string>> = {
  Organization: tenant => tenant.organizationId,
  Workspace: tenant => tenant.workspaceId,
  SdkKey: tenant => tenant.keyId,
  AnalystLogin: analystLoginIdOf,
  Property: tenant => tenant.propertyId,
  Campaign: campaignIdOf,
  Contact: contactIdOf,
  Referral: walletIdOf('Referral'),
  Redemption: walletIdOf('Redemption'),
  Payout: walletIdOf('Payout'),
  LedgerTransaction: walletIdOf('LedgerTransaction'),
  Earning: walletIdOf('Earning'),
  Conversion: walletIdOf('Conversion'),
  RejectedEventsReplay: replayIdOf,
  PersonErasure: erasureIdOf,
  PersonExport: personExportIdOf,
  RetentionRule: retentionRuleIdOf,
  AgencyDeal: dealIdOf,
  TaxCertificate: certificateIdOf,
  GatewayLink: gatewayIdOf('Link'),
  GatewayOrder: gatewayIdOf('Order'),
  GatewayPlan: gatewayIdOf('Plan'),
  GatewaySubscription: gatewayIdOf('Subscription'),
  GatewayVendor: gatewayIdOf('Vendor'),
  GatewayRefund: gatewayIdOf('Refund'),
  Template: templateIdOf,
  TemplateVersion: templateVersionIdOf,
  Journey: journeyIdOf,
  Segment: segmentIdOf,
  EventExport: exportIdOf,
  Enrolment: enrolmentIdOf,
  WebhookEndpoint: webhookEndpointIdOf,
  WebhookDelivery: webhookDeliveryIdOf,
};

function organizationNode({ organizationId }: Tenant): string {
  return encodeNodeId('Organization', organizationId);
}

/** A valid `input` whose references, if any, are to objects of the tenant. */
export const MUTATION_INPUTS: Readonly<
  Record<string, (tenant: Tenant) => Readonly<Record<string, unknown>>>
> = {
  agencyAppoint: () => ({ domain: 'walked.com' }),
  campaignCreate: () => ({ name: 'walked', type: 'BANNER' }),
  campaignLaunch: () => ({ version: 1 }),
  campaignUpdate: () => ({ version: 1, name: 'walked' }),
  cellCreate: () => ({ slug: `walked-${randomUUID().slice(0, 8)}`, region: 'walked' }),
  cellUpdate: () => ({ isEnabled: true }),
  chargebackRecord: tenant => ({
    chargebackId: `dispute-of-${tenant.organizationId}`,
    paymentId: `payment-by-${tenant.organizationId}`,
  }),
  consentBulkSet: () => ({
    consents: [{ userId: FURNISHED_USER_ID, purpose: 'marketing', status: 'DENIED' }],
  }),
  consentSet: () => ({ purpose: 'marketing', status: 'DENIED' }),
  contactUpsert: () => ({ userId: FURNISHED_USER_ID, traits: { walked: true } }),
  dealLose: () => ({ reason: 'walked' }),
  dealRegister: () => ({
    prospectCompanyName: 'walked',
    prospectDomain: `walked-${randomUUID()}.com`,
    prospectContactEmail: 'walked@example.com',
    estimatedDealValue: '1000',
  }),
  dealSubmitProof: () => ({
    proofType: 'DEMO_SCHEDULED',
    proofDocumentUrl: 'https://example.com/walked',
  }),
  dealWin: () => ({ actualDealValue: '1000' }),
  creditReschedule: () => ({ releaseDate: '2100-01-02', reason: 'walked' }),
  creditsRedeem: tenant => ({
    invoiceId: invoiceIdOf(tenant),
    invoiceTotal: '1000.00',
    requestedAmount: '10.50',
  }),
  creditsToCash: () => ({ requestedAmount: '10' }),
  ingressLimitSet: tenant => ({
    organizationId: organizationNode(tenant),
    eventsPerMinute: 1_000_000,
  }),
  invoiceRegister: tenant => ({
    organizationId: organizationNode(tenant),
    invoiceId: `walked-${tenant.organizationId}`,
    total: '100',
    currency: 'INR',
  }),
  kycApprove: tenant => ({ ids: [encodeNodeId('KycSubmission', tenant.organizationId)] }),
  kycReject: tenant => ({
    ids: [encodeNodeId('KycSubmission', tenant.organizationId)],
    reason: 'walked',
  }),
  kycSubmit: () => kycInput(),
  platformSubjectRestore: () => ({ userId: 'walked' }),
  platformSubjectRevoke: () => ({ userId: `walked-${randomUUID()}` }),
  subjectRestore: () => ({ userId: 'walked' }),
  subjectRevoke: () => ({ userId: 'walked' }),
  organizationClose: tenant => ({ confirm: `Organisation ${tenant.organizationId}` }),
  organizationCreate: () => ({ name: 'walked' }),
  organizationUpdate: () => ({ name: 'walked' }),
  partnerRegionSet: tenant => ({ organizationId: organizationNode(tenant), region: 'GLOBAL' }),
  paymentRecord: tenant => ({
    paymentId: `payment-by-${tenant.organizationId}`,
    organizationId: organizationNode(tenant),
    amount: '100',
    currency: 'INR',
  }),
  payoutAdvance: () => ({ to: 'PROCESSING' }),
  payoutBulkAdvance: tenant => ({
    payouts: [{ id: encodeNodeId('Payout', walletIdOf('Payout')(tenant)), to: 'PROCESSING' }],
  }),
  payoutRequest: () => ({ requestedAmount: '1000' }),
  personErase: confirmedNobody,
  personExport: confirmedNobody,
  privacySettingsUpdate: () => ({ lateDays: 7 }),
  retentionRuleSet: () => ({ dataset: 'EVENTS', keepDays: 365 }),
  programTermsUpdate: () => ({ region: 'GLOBAL', dormancyDays: 180 }),
  propertyCreate: () => ({ name: 'walked' }),
  propertyUpdate: () => ({ name: 'walked' }),
  referralAttribute: tenant => ({ code: codeOf(tenant) }),
  refundRecord: tenant => ({
    refundId: `refund-of-${tenant.organizationId}`,
    paymentId: `payment-by-${tenant.organizationId}`,
    amount: '1',
  }),
  deadLetterRedrive: () => ({ job: 'walked' }),
  gatewayEventsReplay: tenant => ({ ids: [encodeNodeId('GatewayEvent', tenant.workspaceId)] }),
  outboxRowDiscard: tenant => ({ ids: [encodeNodeId('OutboxRow', tenant.workspaceId)] }),
  outboxRowRetry: tenant => ({ ids: [encodeNodeId('OutboxRow', tenant.workspaceId)] }),
  rejectedEventsReplay: () => ({ codes: ['WALKED'], since: '2026-01-01T00:00:00Z' }),
  analystLoginCreate: () => ({ name: 'walked' }),
  sdkKeyCreate: () => ({ name: 'walked' }),
  billingLinkCreate: tenant => ({ ...LINK_INPUT, organizationId: organizationNode(tenant) }),
  gatewayLinkCreate: () => LINK_INPUT,
  gatewayOrderCreate: () => ORDER_INPUT,
  gatewayPlanCreate: () => PLAN_INPUT,
  gatewayRefundCreate: tenant => ({ paymentId: gatewayPaymentIdOf(tenant) }),
  gatewaySubscriptionCreate: tenant =>
    subscriptionInput(encodeNodeId('GatewayPlan', gatewayIdOf('Plan')(tenant))),
  gatewaySubscriptionManage: () => ({ action: 'CANCEL' }),
  gatewayVendorCreate: () => VENDOR_INPUT,
  gatewayVendorUpdate: () => ({ name: 'walked' }),
  gatewayCredentialsSet: () => ({
    onboarding: 'BYOM',
    mode: 'SANDBOX',
    appId: 'walked',
    secretKey: 'walked-secret-key',
  }),
  gatewaySecretRotate: () => ({ secret: 'WEBHOOK_SECRET', value: 'walked-webhook-secret' }),
  sdkKeyRotate: () => ({ overlapSeconds: 60 }),
  sdkKeyUpdate: () => ({ name: 'walked', minuteCap: 7 }),
  catalogEntryCreate: () => ({
    name: 'walked',
    versions: [{ channel: 'SMS', language: 'en', body: 'walked' }],
    source: { origin: 'walked' },
  }),
  ...JOURNEY_INPUTS,
  ...SEGMENT_INPUTS,
  ...EXPORT_INPUTS,
  templateApprovalSettingsUpdate: () => ({ emailHours: 48 }),
  templateReviewApprove: tenant => ({
    submissionId: encodeNodeId('TemplateSubmission', templateVersionIdOf(tenant)),
  }),
  templateReviewReject: tenant => ({
    submissionId: encodeNodeId('TemplateSubmission', templateVersionIdOf(tenant)),
    reason: 'walked',
  }),
  templateCreate: () => ({ name: 'walked' }),
  templateFromCatalogEntry: tenant => ({
    catalogEntryId: encodeNodeId('CatalogEntry', tenant.workspaceId),
  }),
  templateUpdate: () => ({ version: 1, name: 'walked' }),
  templateVersionCreate: () => ({ body: 'walked' }),
  templateVersionEdit: () => ({ expectedRevision: 1, body: 'walked' }),
  templateVersionRestore: () => ({ note: 'walked' }),
  templateVersionSubmit: () => ({}),
  webhookDeliveriesReplay: tenant => ({
    ids: [encodeNodeId('WebhookDelivery', webhookDeliveryIdOf(tenant))],
  }),
  webhookEndpointCreate: () => ({ url: NOBODYS_URL }),
  webhookEndpointReplay: () => ({ includeDelivered: false }),
  webhookEndpointUpdate: () => ({ version: 1, description: 'walked' }),
  webhookSecretRotate: () => ({ overlapSeconds: 60 }),
  workspaceCreate: () => ({ name: 'walked' }),
  workspaceUpdate: () => ({ name: 'walked', inAppDailyMax: 7 }),
};

/** Values of required query arguments that are not IDs. */
export const QUERY_ARGUMENTS: Readonly<Record<string, unknown>> = {
  consentPurpose: 'marketing',
  first: 10,
  userId: FURNISHED_USER_ID,
  dataset: 'EVENTS',
  keepDays: 365,
  range: lastHours(24),
  time: 'TIMESTAMP',
  bucket: 'DAY',
  timeZone: 'UTC',
  top: 10,
  campaignId: REPORTED_CAMPAIGN_ID,
  cfPaymentId: 'walked',
  series: [{ event: {} }],
  breakdowns: [{ column: 'EVENT' }],
  rest: 'OTHER',
  isCompared: true,
  period: 'DAY',
  kind: 'RECURRING',
  firstEvent: {},
  returningEvent: {},
  steps: [{}, { name: 'walked' }],
  windowSeconds: 3_600,
  step: 1,
  breakdown: { column: 'EVENT' },
  rule: WALKED_RULE,
};

/** Optional arguments that a query needs, or with which it returns text of the tenant. */
export const CHOSEN_ARGUMENTS: Readonly<Record<string, string>> = {
  userTimeline: 'userId',
  trends: 'breakdowns',
  funnel: 'breakdown',
  personFootprint: 'userId',
};

/** Operations for platform admins only, which owners may not call at all. */
export const PLATFORM_QUERIES: ReadonlySet<string> = new Set([
  'catalogEntrySource',
  'billingLinks',
  'cells',
  'deadLetters',
  'ingestNodes',
  'kycSubmissions',
  'platformDeals',
  'platformAuditEntries',
  'refusedOutboxRows',
  'platformEarnings',
  'platformOrganizations',
  'platformGatewayEvents',
  'platformPayouts',
  'partnerReviewQueues',
  'programTerms',
  'reconciliation',
  'templateReviews',
]);

/** The values of `{…}` in REST paths, by parameter name. */
export const PATH_PARAMETERS: Readonly<Record<string, (tenant: Tenant) => string>> = {
  campaign_id: campaignIdOf,
  code: codeOf,
  contact_id: contactIdOf,
  certificate_id: certificateIdOf,
  deal_id: dealIdOf,
  org_id: tenant => tenant.organizationId,
  segment_id: segmentIdOf,
  export_id: exportIdOf,
  number: () => '1',
  entry_id: tenant => tenant.workspaceId,
  analyst_login_id: analystLoginIdOf,
  sdk_key_id: tenant => tenant.keyId,
  template_id: templateIdOf,
  version_id: templateVersionIdOf,
  erasure_id: erasureIdOf,
  person_export_id: personExportIdOf,
  retention_rule_id: retentionRuleIdOf,
};

/** The body of a POST, PUT or PATCH, by REST path, if `{"name":"walked"}` is not valid. */
export const REST_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/v1/affiliates/credits-to-cash': { requested_amount: 10 },
  '/api/v1/affiliates/kyc/submit': kycBody(),
  '/api/v1/affiliates/payouts/request': { requested_amount: 1000 },
  '/api/v1/agencies/deals/register': {
    prospect_company_name: 'walked',
    prospect_domain: `walked-${randomUUID()}.com`,
    prospect_contact_email: 'walked@example.com',
    estimated_deal_value: 1000,
  },
  '/api/v1/agencies/deals/{deal_id}/proof': {
    proof_type: 'DEMO_SCHEDULED',
    proof_document_url: 'https://example.com/walked',
  },
  '/api/v1/campaigns': { name: 'walked', type: 'banner' },
  '/api/v1/campaigns/{campaign_id}': { name: 'walked', version: 1 },
  '/api/v1/contacts/{contact_id}/consents': { purpose: 'marketing', status: 'DENIED' },
  '/api/v1/insights/trends': {
    range: lastHours(24),
    bucket: 'day',
    series: [{ event: {} }],
    breakdowns: [{ column: 'event' }],
  },
  '/api/v1/insights/retention': {
    range: lastHours(24),
    period: 'day',
    first_event: {},
    returning_event: {},
  },
  '/api/v1/insights/funnel': {
    range: lastHours(24),
    steps: [{}, {}],
    window_seconds: 3_600,
    breakdown: { column: 'event' },
  },
  '/api/v1/insights/funnel-drop-offs': {
    range: lastHours(24),
    steps: [{}, { name: 'walked' }],
    window_seconds: 3_600,
    step: 1,
  },
  '/api/v1/exports': { range: lastHours(24), format: 'parquet' },
  '/api/v1/segments': { name: 'walked', rule: WALKED_RULE },
  '/api/v1/segments/preview': { rule: WALKED_RULE },
  '/api/v1/segments/{segment_id}': { name: 'walked', version: 1 },
  '/api/v1/retention-rules': { dataset: 'EVENTS', keep_days: 365 },
  '/api/v1/retention-rules/preview': { dataset: 'EVENTS', keep_days: 365 },
  '/api/v1/people/footprint': { user_id: FURNISHED_USER_ID },
  '/api/v1/people/erasures': {
    user_ids: ['walked'],
    anonymous_ids: [],
    confirmation: 'a'.repeat(64),
  },
  '/api/v1/people/exports': {
    user_ids: ['walked'],
    anonymous_ids: [],
    confirmation: 'a'.repeat(64),
  },
  '/api/v1/referrals/attribution': { code: 'WALKED-CODE' },
  '/api/v1/referrals/credits/redeem': {
    invoice_id: 'walked',
    invoice_total: 100,
    requested_amount: 10,
  },
  '/api/v1/templates/{template_id}/versions': { body: 'walked' },
  '/api/v1/sdk-keys/{sdk_key_id}/rotate': { overlap_seconds: 60 },
};

/** Paths for platform admins only, which refuse an owner before they look up the object. */
export const PLATFORM_PATHS = /^\/api\/v1\/admin\//;

/** Public paths, which never reveal whether the object exists. */
export const PUBLIC_PATHS = /^\/refer\//;
