// Who calls each documented operation, and with which IDs.

import { v7 as uuidv7 } from 'uuid';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { signApprovalBody } from '../../../graphql-api/templates/approval/signature.ts';
import type { Answer } from '../../harness/http.ts';
import { bringTo } from '../../harness/template.ts';
import { createKey, createTenant } from '../../harness/tenant.ts';
import { createDownload } from '../harness/export-cases.ts';
import {
  createAffiliate,
  createAgency,
  createCertificate,
  createKycSubmission,
  refer,
} from '../harness/partner.ts';
import type { ClockedApi } from '../partner/clocked-api.ts';
import { programOf } from '../partner/program.ts';
import { operationOf, type Scene, sendExampleTo } from './openapi-operations.ts';

const MESSAGING_APP_SECRET = 'what the platform signs with';
const SMS_SECRET = 'what the registrar signs with';
const VERIFY_TOKEN = 'what the platform verifies with';

/** The approvers whose webhooks are documented. */
export const APPROVERS = {
  MESSAGING_APP_API_URL: 'http://127.0.0.1:1',
  MESSAGING_APP_ACCOUNT_ID: 'account-1',
  MESSAGING_APP_ACCESS_TOKEN: 'token',
  MESSAGING_APP_SECRET,
  MESSAGING_APP_VERIFY_TOKEN: VERIFY_TOKEN,
  SMS_REGISTRAR_URL: 'http://127.0.0.1:1',
  SMS_REGISTRAR_TOKEN: 'token',
  SMS_REGISTRAR_SECRET: SMS_SECRET,
};

const anybody = () => ({});
const fresh = async (of: ClockedApi) => ({
  organizationId: (await of.owner()).organizationId,
});
const member = async (of: ClockedApi) => ({
  organizationId: (await createTenant({ databaseUrl: of.ownerUrl })).organizationId,
});

/** The owner of an object that the example of this operation makes. */
const made = (operationId: string, noun: string, idName: string) => async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sent(of, operationId, { organizationId });
  const { id } = (answer.json() as Record<string, { id: string }>)[noun]!;
  return { organizationId, ids: { [idName]: id } };
};

const ofCampaign = made('createCampaign', 'campaign', 'campaign_id');
const ofSegment = made('createSegment', 'segment', 'segment_id');
const ofExport = made('requestExport', 'export', 'export_id');
const ofErasure = made('createPersonErasure', 'erasure', 'erasure_id');
const ofRetentionRule = made('setRetentionRule', 'retention_rule', 'retention_rule_id');

const ofKey = async (of: ClockedApi) => {
  const { organizationId, workspaceId } = await createTenant({ databaseUrl: of.ownerUrl });
  const { keyId } = await createKey(workspaceId, {}, of.ownerUrl);
  return { organizationId, ids: { sdk_key_id: keyId } };
};

const ofContact = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const caller = await of.caller(organizationId);
  const input = { userId: 'user-1' };
  const made = await caller.mutate('contactUpsert', 'contact { id }', { input });
  const { id } = made.contact as { id: string };
  return { organizationId, ids: { contact_id: decodeNodeId(id).id } };
};

const ofTemplate = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sent(of, 'createTemplate', { organizationId });
  const { template } = answer.json() as { template: { template_id: string } };
  return { organizationId, ids: { template_id: template.template_id } };
};

const ofVersion = async (of: ClockedApi) => {
  const scene = await ofTemplate(of);
  const answer = await sent(of, 'createTemplateVersion', scene);
  const { version } = answer.json() as { version: { version_id: string } };
  return { ...scene, ids: { ...scene.ids, version_id: version.version_id } };
};

const ofApprovedVersion = async (of: ClockedApi) => {
  const scene = await ofVersion(of);
  const [version] = await of.sql('SELECT workspace_id FROM template_versions WHERE id = $1', [
    scene.ids.version_id,
  ]);
  const workspaceId = version!.workspace_id as string;
  await bringTo(workspaceId, scene.ids.version_id, 'Approved', uuidv7(), of.sql);
  return scene;
};

const agency = async (of: ClockedApi) => {
  const { organizationId } = await of.owner();
  await createAgency(organizationId, { query: of.sql });
  return { organizationId };
};

const affiliate = async (of: ClockedApi) => {
  const { organizationId } = await of.owner();
  await createAffiliate(organizationId, of.sql);
  return { organizationId };
};

const ofPersonExport = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sent(of, 'createPersonExport', { organizationId });
  const { export: made } = answer.json() as { export: { id: string } };
  // Other examples advance the clock, so the expiry is far in the future.
  await of.sql("UPDATE person_exports SET expires_at = '2100-01-01' WHERE id = $1", [made.id]);
  return { organizationId, ids: { person_export_id: made.id } };
};

/** The caller of each operation, by its ID. */
export const SCENES: Readonly<Record<string, (of: ClockedApi) => Scene | Promise<Scene>>> = {
  upgradeToAffiliate: async of => {
    const { organizationId } = await of.owner();
    await refer(organizationId, 11, of.sql);
    return { organizationId };
  },
  submitKyc: affiliate,
  getKycProfile: affiliate,
  approveKyc: async of => {
    const { organizationId } = await of.owner();
    await createKycSubmission(organizationId, of.sql);
    const admin = await of.admin();
    return {
      organizationId: admin.organizationId,
      role: 'platform_admin',
      ids: { org_id: organizationId },
    };
  },
  listTaxCertificates: fresh,
  downloadTaxCertificate: async of => {
    const { organizationId } = await of.owner();
    const id = uuidv7();
    await createCertificate(organizationId, id, of.sql);
    return { organizationId, ids: { certificate_id: id } };
  },
  registerDeal: agency,
  submitDealProof: async of => {
    const { organizationId } = await agency(of);
    const caller = await of.caller(organizationId);
    const answer = await caller.post('/api/v1/agencies/deals/register', {
      prospect_company_name: 'Proven',
      prospect_domain: 'proven.com',
      prospect_contact_email: 'buyer@proven.com',
      estimated_deal_value: 1000,
    });
    const { deal } = answer.json() as { deal: { id: string } };
    return { organizationId, ids: { deal_id: deal.id } };
  },
  getAgencyDashboard: agency,
  getCurrentWorkspace: member,
  listCampaigns: member,
  queryTrends: member,
  queryRetention: member,
  queryFunnel: member,
  queryFunnelDropOffs: member,
  listExports: member,
  requestExport: member,
  getExport: ofExport,
  deleteExport: ofExport,
  downloadExportChunk: async of => {
    const tenant = await createTenant({ databaseUrl: of.ownerUrl });
    const id = await createDownload(tenant, of.sql);
    return { organizationId: tenant.organizationId, ids: { export_id: id, number: '1' } };
  },
  listSegments: member,
  createSegment: member,
  previewSegment: member,
  getSegment: ofSegment,
  updateSegment: ofSegment,
  archiveSegment: ofSegment,
  listSegmentMembers: ofSegment,
  queryPersonFootprint: member,
  createPersonErasure: member,
  listPersonErasures: member,
  getPersonErasure: ofErasure,
  createPersonExport: member,
  downloadPersonExport: ofPersonExport,
  listRetentionRules: member,
  setRetentionRule: member,
  previewRetentionRule: member,
  removeRetentionRule: ofRetentionRule,
  createCampaign: member,
  getCampaign: ofCampaign,
  updateCampaign: ofCampaign,
  getContact: ofContact,
  setConsent: ofContact,
  listAnalystLogins: member,
  createAnalystLogin: member,
  revokeAnalystLogin: made('createAnalystLogin', 'analyst_login', 'analyst_login_id'),
  listSdkKeys: member,
  createSdkKey: member,
  updateSdkKey: ofKey,
  rotateSdkKey: ofKey,
  revokeSdkKey: ofKey,
  listTemplates: member,
  createTemplate: member,
  getTemplate: ofTemplate,
  deleteTemplate: ofTemplate,
  listTemplateVersions: ofTemplate,
  createTemplateVersion: ofTemplate,
  submitTemplateVersion: ofVersion,
  activateTemplateVersion: ofApprovedVersion,
  getCatalogEntrySource: async of => {
    const admin = await of.admin();
    const input = {
      name: 'Welcome',
      versions: [{ channel: 'SMS', language: 'en', body: 'Hello' }],
      source: { origin: 'editorial' },
    };
    const made = await admin.mutate('catalogEntryCreate', 'catalogEntry { id }', { input });
    const { id } = made.catalogEntry as { id: string };
    return {
      organizationId: admin.organizationId,
      role: 'platform_admin',
      ids: { entry_id: decodeNodeId(id).id },
    };
  },
  followReferralLink: anybody,
  getReferralSummary: fresh,
  getReferralDashboard: fresh,
  getActiveReferralCount: fresh,
  attributeReferral: async of => {
    const example = operationOf('attributeReferral').requestBody!.content['application/json']
      .example as { code: string };
    const { organizationId } = await of.owner();
    await of.sql(
      'INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [example.code, organizationId],
    );
    return fresh(of);
  },
  getWallet: fresh,
  getPendingCredits: fresh,
  redeemCredits: async of => (await programOf(of)).withCredits(2000),
  convertCreditsToCash: async of => {
    const program = await programOf(of);
    const referrer = await program.withCredits(2000);
    await program.approveKyc(referrer);
    return referrer;
  },
  listTransactions: fresh,
  listPayouts: fresh,
  requestPayout: async of => {
    const partner = await (await programOf(of)).withCash(2000);
    of.advanceDays(31);
    return partner;
  },
  verifyMessagingAppWebhook: () => ({
    query: {
      'hub.mode': 'subscribe',
      'hub.verify_token': VERIFY_TOKEN,
      'hub.challenge': '1158201444',
    },
  }),
  postMessagingAppWebhook: () => ({
    headers: body => ({
      'x-hub-signature-256': signApprovalBody(MESSAGING_APP_SECRET, Buffer.from(body)),
    }),
  }),
  postSmsRegistrarWebhook: () => ({
    headers: body => ({
      'x-registrar-signature-256': signApprovalBody(SMS_SECRET, Buffer.from(body)),
    }),
  }),
};

function sent(of: ClockedApi, operationId: string, scene: Scene): Promise<Answer> {
  return sendExampleTo(of.url, operationOf(operationId), scene);
}
