import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { CatalogEntry } from './catalog-entry.entity.ts';
import type { TemplateFromCatalogEntry } from './template.contract.ts';
import { addTemplate } from './template.create.ts';
import { Template } from './template.entity.ts';
import { addVersion } from './version.add.ts';
import { completed } from './version-content.ts';

/** Creates a template with a Draft for each version of the catalog entry. */
export async function templateFromCatalogEntry(
  scope: ActionScope,
  { catalogEntryId, name }: TemplateFromCatalogEntry,
): Promise<{ readonly id: string }> {
  const { em } = scope;
  const entry =
    (await em.findOne(CatalogEntry, { id: catalogEntryId, isPublished: true })) ??
    reject('NOT_FOUND', {
      field: ['catalogEntryId'],
      message: 'No catalog entry exists with this ID.',
    });
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
