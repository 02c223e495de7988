import { CatalogEntry } from '../../../schema/entities/catalog-entry.ts';
import { Template } from '../../../schema/entities/template.ts';
import type { TemplateFromCatalogEntry } from '../../../schema/wire/template.ts';
import { reject } from '../../rejected.ts';
import type { ActionScope } from '../run-action.ts';
import { addVersion } from './add-version.ts';
import { addTemplate } from './create-template.ts';
import { completed } from './version-content.ts';

/** A template of the workspace with a Draft for each version of the entry. */
export async function templateFromCatalogEntry(
  scope: ActionScope,
  { catalogEntryId, name }: TemplateFromCatalogEntry,
): Promise<{ readonly id: string }> {
  const { em } = scope;
  const entry =
    (await em.findOne(CatalogEntry, { id: catalogEntryId, isPublished: true })) ??
    reject('NOT_FOUND', { field: ['catalogEntryId'], message: 'There is no such entry.' });
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
