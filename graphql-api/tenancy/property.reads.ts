import type { Context } from '../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Property } from './property.entity.ts';

export async function propertiesPage(context: Context, page: PageRequest): Promise<Page<Property>> {
  const workspaceId = workspaceOf(context.viewer);
  return readPage(await context.read(), Property, { workspaceId }, page);
}

export async function propertiesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Property[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(Property, { id: { $in: [...ids] }, workspaceId });
}
