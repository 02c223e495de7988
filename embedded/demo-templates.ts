// Templates after two months of use: versions in each state, two of them chosen by an operator, and
// ready-made templates of the platform. Created by the API's own actions, at the times of the
// history.

import { v7 as uuidv7 } from 'uuid';
import { recordChange } from '../graphql-api/platform/audit.ts';
import type { ActionScope } from '../graphql-api/platform/run-action.ts';
import { catalogEntryCreate } from '../graphql-api/templates/catalog-entry.create.ts';
import { templateArchive } from '../graphql-api/templates/template.archive.ts';
import { templateCreate } from '../graphql-api/templates/template.create.ts';
import { templateVersionActivate } from '../graphql-api/templates/version.activate.ts';
import { applyVerdict } from '../graphql-api/templates/version.apply-verdict.ts';
import { templateVersionCreate } from '../graphql-api/templates/version.create.ts';
import { templateScope } from '../graphql-api/templates/version.move.ts';
import { templateVersionSubmit } from '../graphql-api/templates/version.submit.ts';
import { type DemoStory, openDemoStory } from './demo-story.ts';
import type { DemoTenant } from './demo-tenant.ts';
import { CATALOG_ENTRIES, type DemoText, ORDER, SALE } from './demo-texts.ts';

export type DemoTemplates = { readonly templateId: string };

/** Finds the existing demo data, or creates all of it in one step. */
export async function createDemoTemplates(
  env: Readonly<Record<string, string | undefined>>,
  tenant: DemoTenant,
): Promise<DemoTemplates> {
  const story = await openDemoStory(env);
  try {
    const found = await findOrderTemplate(story, tenant);
    if (found !== undefined) return { templateId: found };
    await createCatalog(story, tenant);
    return await createTemplates(story, tenant);
  } finally {
    await story.close();
  }
}

async function findOrderTemplate(
  { deps }: DemoStory,
  { workspaceId }: DemoTenant,
): Promise<string | undefined> {
  const [found] = await deps.database.asSystem(em =>
    em.execute<{ id: string }[]>(
      'SELECT id FROM templates WHERE workspace_id = ? AND name = ? ORDER BY id LIMIT 1',
      [workspaceId, ORDER.name],
    ),
  );
  return found?.id;
}

async function createCatalog(story: DemoStory, { organizationId }: DemoTenant): Promise<void> {
  for (const entry of CATALOG_ENTRIES) {
    const isThere = await story.exists('SELECT 1 FROM catalog_entries WHERE name = ?', [
      entry.name,
    ]);
    if (!isThere) await story.asAdmin(organizationId, 60, catalogEntryCreate, entry);
  }
}

/** In one transaction, so that an interrupted start leaves no partial data. */
function createTemplates(story: DemoStory, tenant: DemoTenant): Promise<DemoTemplates> {
  return story.deps.database.asTenant(tenant.organizationId, async em => {
    const told = tell(story, tenant, em);
    const templateId = await createOrderTemplate(told);
    await createSaleTemplate(told);
    await createOldTemplate(told);
    return { templateId };
  });
}

/** Superseded, Active, Rejected and Draft in one channel; Submitted and Active in the others. */
async function createOrderTemplate(told: Told): Promise<string> {
  const { name, description, app, bodies, sms, email } = ORDER;
  const { id } = await templateCreate(told.on(55), { name, description });
  await told.approved(id, 54, { ...app, body: bodies.first });
  await told.approved(id, 30, { body: bodies.second });
  await told.rejected(id, 9, { body: bodies.rejected }, 'TAG_CONTENT_MISMATCH');
  await templateVersionCreate(told.on(1), { id, body: bodies.draft, channel: 'messaging_app' });
  await told.approved(id, 50, sms);
  await told.submitted(id, 0, email);
  return id;
}

/** An operator activated the first version again, so the third one stays Approved. */
async function createSaleTemplate(told: Told): Promise<void> {
  const { name, description, app, bodies } = SALE;
  const { id } = await templateCreate(told.on(20), { name, description });
  const first = await told.approved(id, 19, { ...app, body: bodies.first });
  await told.approved(id, 12, { body: bodies.second });
  await templateVersionActivate(told.on(10), { id: first });
  await told.approved(id, 5, { body: bodies.third });
}

async function createOldTemplate(told: Told): Promise<void> {
  const { id } = await templateCreate(told.on(40), { name: 'Autumn letter' });
  await told.approved(id, 39, { channel: 'email', body: '<p>Autumn is here. Unsubscribe</p>' });
  await templateArchive(told.on(15), { id });
}

/** Scopes of actions at the times of the history. */
export type Told = {
  /** The owner, that many days ago. */
  readonly on: (daysAgo: number) => ActionScope;
  /** Each gives the version's ID. */
  readonly submitted: (templateId: string, daysAgo: number, text: DemoText) => Promise<string>;
  readonly approved: (templateId: string, daysAgo: number, text: DemoText) => Promise<string>;
  readonly rejected: (
    templateId: string,
    daysAgo: number,
    text: DemoText,
    reason: string,
  ) => Promise<string>;
};

export function tell(story: DemoStory, tenant: DemoTenant, em: ActionScope['em']): Told {
  const { deps } = story;
  const { organizationId, workspaceId } = tenant;
  const viewer = {
    userId: 'demo-owner',
    organizationId,
    workspaceId,
    roles: new Set(['owner'] as const),
  };
  const on: Told['on'] = daysAgo => {
    story.goTo(daysAgo);
    const requestId = uuidv7();
    const audit: ActionScope['audit'] = change =>
      recordChange({ em, viewer, deps, requestId }, change);
    return { em, viewer, deps, requestId, audit };
  };
  const submit = async (templateId: string, daysAgo: number, text: DemoText) => {
    const scope = on(daysAgo);
    const { id } = await templateVersionCreate(scope, { ...text, id: templateId });
    return templateVersionSubmit(scope, { id });
  };
  const approver = (daysAgo: number) => ({
    ...templateScope(on(daysAgo)),
    actorId: 'demo-approver',
  });
  return {
    on,
    submitted: async (...of) => (await submit(...of)).id,
    approved: async (templateId, daysAgo, text) => {
      const { id, submissionId } = await submit(templateId, daysAgo, text);
      await applyVerdict(approver(daysAgo), { submissionId, verdict: 'APPROVED' });
      return id;
    },
    rejected: async (templateId, daysAgo, text, reason) => {
      const { id, submissionId } = await submit(templateId, daysAgo, text);
      await applyVerdict(approver(daysAgo), { submissionId, verdict: 'REJECTED', reason });
      return id;
    },
  };
}
