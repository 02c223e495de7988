// Every documented operation works with its examples. Each is sent with the examples of its body
// and parameters; the IDs are those of the caller, who has the required role.

import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { printedOpenApi } from '../../../graphql-api/app/rest.ts';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { signApprovalBody } from '../../../graphql-api/templates/approval/signature.ts';
import { PROBLEMS } from '../../../schema/values/problem.ts';
import { type Answer, send } from '../../harness/http.ts';
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
import { tokenFor } from '../harness/tokens.ts';
import { type ClockedApi, useClockedApi } from '../partner/clocked-api.ts';
import { type Program, programOf } from '../partner/program.ts';

const MESSAGING_APP_SECRET = 'what the platform signs with';
const SMS_SECRET = 'what the registrar signs with';
const VERIFY_TOKEN = 'what the platform verifies with';

const api = useClockedApi(() => ({
  MESSAGING_APP_API_URL: 'http://127.0.0.1:1',
  MESSAGING_APP_ACCOUNT_ID: 'account-1',
  MESSAGING_APP_ACCESS_TOKEN: 'token',
  MESSAGING_APP_SECRET,
  MESSAGING_APP_VERIFY_TOKEN: VERIFY_TOKEN,
  SMS_REGISTRAR_URL: 'http://127.0.0.1:1',
  SMS_REGISTRAR_TOKEN: 'token',
  SMS_REGISTRAR_SECRET: SMS_SECRET,
}));

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly example?: unknown };
};
type Example = { readonly example?: unknown };
type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Example } };
  readonly responses: Readonly<Record<string, unknown>>;
};

const DOCUMENT = JSON.parse(printedOpenApi()) as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
};
const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);

/** The caller and its IDs. */
type Scene = {
  readonly organizationId?: string;
  readonly role?: 'owner' | 'platform_admin';
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: (body: string) => Record<string, string>;
};

let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

describe.concurrent('the example of', () => {
  test.for(OPERATIONS.map(({ operationId }) => operationId))('%s is accepted', async id => {
    const scene = SCENES[id];
    if (scene === undefined) throw new Error(`say in SCENES who may ${id}, and with which ids`);
    const operation = operationOf(id);
    const answer = await sendExample(operation, await scene(api()));
    const accepted = Object.keys(operation.responses).filter(status => /^[23]/.test(status));
    expect(accepted, answer.text).toContain(String(answer.status));
  });
});

describe.concurrent('X-Workspace-ID', () => {
  const documented = (operation: Operation) =>
    (operation.parameters ?? []).some(({ name }) => name === 'X-Workspace-ID');

  test.for(OPERATIONS.map(({ operationId }) => operationId))(
    'is a parameter of %s if it has an effect',
    async id => {
      const operation = operationOf(id);
      // An organization without a workspace, to test the error when one is required.
      const { organizationId } = await api().owner();
      const ids = { ...NOBODYS };
      const answer = await sendExample(operation, { organizationId, ids });
      const isNeeded = answer.text.includes(PROBLEMS.WORKSPACE_REQUIRED.title);
      expect(isNeeded, answer.text).toBe(documented(operation));
    },
  );
});

test('idempotent operations document how a repeat can be refused', () => {
  const faults = OPERATIONS.filter(
    ({ parameters = [], responses }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key') &&
      ['400', '409', '422'].some(status => !(status in responses)),
  );
  expect(faults.map(({ operationId }) => operationId)).toEqual([]);
});

/** Values for path parameters of which the object need not exist. */
const NOBODYS: Readonly<Record<string, string>> = Object.fromEntries(
  OPERATIONS.flatMap(({ parameters = [] }) =>
    parameters
      .filter(one => one.in === 'path')
      .map(({ name, schema: { example } }) => [
        name,
        typeof example === 'number' ? String(example) : uuidv7(),
      ]),
  ),
);

async function sendExample(operation: Operation, scene: Scene): Promise<Answer> {
  const { method, parameters = [], requestBody } = operation;
  const { organizationId, role = 'owner', ids = {}, query = {} } = scene;
  const url = new URL(
    api().url + operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name),
  );
  const headers: Record<string, string> = {};
  for (const { name, in: place, schema } of parameters) {
    if (schema.example === undefined || name === 'X-Workspace-ID') continue;
    if (place === 'query') url.searchParams.set(name, textOf(schema.example));
    if (place === 'header') headers[name] = textOf(schema.example);
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const example = requestBody?.content['application/json'].example;
  if (requestBody !== undefined) expect(example).toBeDefined();
  const body = example === undefined ? undefined : JSON.stringify(example);
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (organizationId !== undefined) headers.authorization = await bearer(organizationId, role);
  return send(url.href, {
    method: method.toUpperCase(),
    headers: { ...headers, ...scene.headers?.(body ?? '') },
    ...(body !== undefined && { body }),
  });
}

async function bearer(organizationId: string, role: 'owner' | 'platform_admin'): Promise<string> {
  const ttlSeconds = 20 * 365 * 24 * 60 * 60;
  return `Bearer ${await tokenFor(organizationId, { roles: [role], ttlSeconds })}`;
}

const anybody = () => ({});
const fresh = async (of: ClockedApi) => ({
  organizationId: (await of.owner()).organizationId,
});
const member = async (of: ClockedApi) => ({
  organizationId: (await createTenant({ databaseUrl: of.ownerUrl })).organizationId,
});

const ofKey = async (of: ClockedApi) => {
  const { organizationId, workspaceId } = await createTenant({ databaseUrl: of.ownerUrl });
  const { keyId } = await createKey(workspaceId, {}, of.ownerUrl);
  return { organizationId, ids: { sdk_key_id: keyId } };
};

const ofCampaign = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('createCampaign'), { organizationId });
  const { campaign } = answer.json() as { campaign: { id: string } };
  return { organizationId, ids: { campaign_id: campaign.id } };
};

const ofSegment = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('createSegment'), { organizationId });
  const { segment } = answer.json() as { segment: { id: string } };
  return { organizationId, ids: { segment_id: segment.id } };
};

const ofExport = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('requestExport'), { organizationId });
  const { export: made } = answer.json() as { export: { id: string } };
  return { organizationId, ids: { export_id: made.id } };
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
  const answer = await sendExample(operationOf('createTemplate'), { organizationId });
  const { template } = answer.json() as { template: { template_id: string } };
  return { organizationId, ids: { template_id: template.template_id } };
};

const ofVersion = async (of: ClockedApi) => {
  const scene = await ofTemplate(of);
  const answer = await sendExample(operationOf('createTemplateVersion'), scene);
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

const ofErasure = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('createPersonErasure'), { organizationId });
  const { erasure } = answer.json() as { erasure: { id: string } };
  return { organizationId, ids: { erasure_id: erasure.id } };
};

const ofRetentionRule = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('setRetentionRule'), { organizationId });
  const { retention_rule: rule } = answer.json() as { retention_rule: { id: string } };
  return { organizationId, ids: { retention_rule_id: rule.id } };
};

const ofPersonExport = async (of: ClockedApi) => {
  const { organizationId } = await member(of);
  const answer = await sendExample(operationOf('createPersonExport'), { organizationId });
  const { export: made } = answer.json() as { export: { id: string } };
  // Other examples advance the clock, so the expiry is far in the future.
  await of.sql("UPDATE person_exports SET expires_at = '2100-01-01' WHERE id = $1", [made.id]);
  return { organizationId, ids: { person_export_id: made.id } };
};

function operationOf(id: string): Operation {
  return OPERATIONS.find(({ operationId }) => operationId === id)!;
}

const SCENES: Readonly<Record<string, (of: ClockedApi) => Scene | Promise<Scene>>> = {
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
  revokeAnalystLogin: async (of: ClockedApi) => {
    const { organizationId } = await member(of);
    const answer = await sendExample(operationOf('createAnalystLogin'), { organizationId });
    const { analyst_login: login } = answer.json() as { analyst_login: { id: string } };
    return { organizationId, ids: { analyst_login_id: login.id } };
  },
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
  redeemCredits: () => program.withCredits(2000),
  convertCreditsToCash: async () => {
    const referrer = await program.withCredits(2000);
    await program.approveKyc(referrer);
    return referrer;
  },
  listTransactions: fresh,
  listPayouts: fresh,
  requestPayout: async of => {
    const partner = await program.withCash(2000);
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

/** The example as it is written in a URL or a header. */
function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
