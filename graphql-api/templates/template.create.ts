import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { CatalogEntry } from './catalog-entry.entity.ts';
import type { TemplateCreate, TemplateFromCatalogEntry } from './template.contract.ts';
import { Template } from './template.entity.ts';
import { addVersion } from './version.add.ts';
import { completed } from './version-content.ts';

/** Includes archived templates: enough for several new ones a day for years. */
const TEMPLATES_MAX = 10_000;

export function templateCreate(
  scope: ActionScope,
  { name, description }: TemplateCreate,
): Promise<{ readonly id: string }> {
  return addTemplate(scope, { name, description: description ?? '' });
}

/** Creates a template with a Draft for each version of the catalog entry. */
export async function templateFromCatalogEntry(
  scope: ActionScope,
  { catalogEntryId, name }: TemplateFromCatalogEntry,
): Promise<{ readonly id: string }> {
  const { em } = scope;
  const entry =
    (await em.findOne(CatalogEntry, { id: catalogEntryId, isPublished: true })) ??
    notFound('catalog entry', 'catalogEntryId');
  const { id } = await addTemplate(scope, {
    name: name ?? entry.name,
    description: entry.description,
    catalogEntryId,
  });
  const template = await em.findOneOrFail(Template, { id });
  for (const { channel, language, samples = {}, ...content } of entry.versions)
    await addVersion(scope, template, {
      channel,
      language,
      content: completed(channel, content, samples),
      changeSource: 'CATALOG',
    });
  return { id };
}

type NewTemplate = {
  readonly name: string;
  readonly description: string;
  readonly catalogEntryId?: string;
};

/** Inserts a template without versions. */
async function addTemplate(
  scope: ActionScope,
  { name, description, catalogEntryId }: NewTemplate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `templates of ${workspaceId}`);
  if ((await countOf(em, Template, { workspaceId })) >= TEMPLATES_MAX) reject('TOO_MANY_TEMPLATES');
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  await em.insert(Template, {
    id,
    workspaceId,
    name,
    description,
    catalogEntryId: catalogEntryId ?? null,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await audit({
    action: 'template.create',
    subjectId: id,
    after: { name, description, ...(catalogEntryId !== undefined && { catalogEntryId }) },
  });
  return { id };
}
