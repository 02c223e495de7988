import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { PersonErasure } from './person-erasure.entity.ts';
import { personHash } from './person-key.ts';

export const personErasures = workspaceReads(PersonErasure);

/** A completed erasure has no hashes, so it is not found by the ID. */
export async function personErasuresPage(
  context: Context,
  page: PageRequest,
  { userId }: { readonly userId?: string | null | undefined },
): Promise<Page<PersonErasure>> {
  if (userId === undefined || userId === null) return personErasures.page(context, page);
  const hash = personHash(workspaceOf(context.viewer), userId);
  return personErasures.page(context, page, { nameHashes: { $contains: [hash] } });
}
