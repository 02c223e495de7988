import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { notFound } from '../platform/rejected.ts';
import { CatalogEntry } from './catalog-entry.entity.ts';

/** The published entries, shared by all tenants, without `source`. */
export async function catalogEntriesPage(
  context: Context,
  page: PageRequest,
): Promise<Page<CatalogEntry>> {
  return readPage(await context.read(), CatalogEntry, { isPublished: true }, page);
}

export async function catalogEntriesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly CatalogEntry[]> {
  const em = await context.read();
  return em.find(CatalogEntry, { id: { $in: [...ids] }, isPublished: true });
}

/** Returns an entry with its source, published or not. Platform admins only. */
export async function catalogEntryWithSource(context: Context, id: string): Promise<CatalogEntry> {
  return readAcrossTenants(context, async em => {
    const entry = await em.findOne(CatalogEntry, { id }, { populate: ['source'] });
    return entry ?? notFound('catalog entry');
  });
}
