import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { CatalogEntry } from './catalog-entry.entity.ts';
import type { CatalogEntryCreate } from './template.contract.ts';
import { draftContent } from './version-content.ts';

/** Enough for a collection that people browse. */
const CATALOG_ENTRIES_MAX = 10_000;

/** Adds an entry for all tenants. Platform admins only. */
export async function catalogEntryCreate(
  scope: ActionScope,
  { name, description, versions, source }: CatalogEntryCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  await oneAtATime(scope, 'catalog entries');
  if ((await countOf(em, CatalogEntry, {})) >= CATALOG_ENTRIES_MAX)
    reject('TOO_MANY_TEMPLATES', {
      message: 'The catalog has reached its maximum number of entries.',
    });
  const id = deps.newId();
  await em.insert(CatalogEntry, {
    id,
    name,
    description: description ?? '',
    versions: versions.map(({ channel, language, samples, ...given }) => {
      const { variables, contentHash: _hash, ...content } = draftContent(channel, given, undefined);
      const known = new Set(variables.map(variable => variable.name));
      const kept = Object.entries(samples ?? {}).filter(([variable]) => known.has(variable));
      return { ...content, channel, language, samples: Object.fromEntries(kept) };
    }),
    source,
    createdBy: viewer.userId,
    createdAt: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: 'catalog_entry.create',
    subjectId: id,
    organizationId: null,
    workspaceId: null,
    after: { name, versions: versions.length },
  });
  return { id };
}
