import { Property } from '../../schema/entities/property.ts';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

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
