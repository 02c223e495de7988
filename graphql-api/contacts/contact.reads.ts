import { raw } from '@mikro-orm/core';
import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Rejected } from '../platform/rejected.ts';
import { type ContactFilter, contactFilterContract } from './contact.contract.ts';
import { Contact } from './contact.entity.ts';

/** The maximum size of a contact's traits as JSON, so that a page of contacts stays small. */
const TRAITS_SHOWN_BYTES_MAX = 256 * 1024;

/** As long as the longest term in `contact_search_terms`. */
const TERM_CHARACTERS_MAX = 128;

export const contacts = workspaceReads(Contact);

export async function contactsPage(
  context: Context,
  page: PageRequest,
  filter: ContactFilter,
): Promise<Page<Contact>> {
  const { success, data, error } = contactFilterContract.safeParse(filter);
  if (!success) throw new Rejected(contractRejections(error));
  const { search, userIdPrefix, isSuppressed } = data;
  return contacts.page(context, page, {
    ...(search && { [hasTerm(workspaceOf(context.viewer), search)]: [] }),
    ...(userIdPrefix && { [raw(item => `${item}.user_id ^@ ?`, [userIdPrefix])]: [] }),
    ...(typeof isSuppressed === 'boolean' && {
      suppressedAt: isSuppressed ? { $ne: null } : null,
    }),
  });
}

/**
 * Unlike LIKE, `^@` is leakproof, so it can use an index despite row-level security. OFFSET 0 makes Postgres begin
 * with the terms: it knows how often a term is used by all workspaces together, not by this one.
 */
function hasTerm(workspaceId: string, search: string) {
  return raw(
    item => `${item}.id in (
      select contact_id from contact_search_terms
      where workspace_id = ? and term ^@ left(lower(btrim(?)), ${TERM_CHARACTERS_MAX}) offset 0)`,
    [workspaceId, search],
  );
}

export async function contactsByUserIds(
  context: Context,
  userIds: readonly string[],
): Promise<readonly Contact[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(Contact, { userId: { $in: [...userIds] }, workspaceId });
}

export type ContactTraits = {
  readonly id: string;
  readonly bytes: number;
  /** Null if they are larger than the limit. */
  readonly traits: Readonly<Record<string, unknown>> | null;
};

export async function traitsByContacts(
  context: Context,
  ids: readonly string[],
): Promise<readonly ContactTraits[]> {
  const workspaceId = workspaceOf(context.viewer);
  return rowsOf(
    await context.read(),
    sql<ContactTraits>`
      SELECT id, octet_length(traits::text) AS bytes,
             CASE WHEN octet_length(traits::text) <= ${TRAITS_SHOWN_BYTES_MAX} THEN traits END AS traits
      FROM contacts WHERE id = ANY(${ids}) AND workspace_id = ${workspaceId}`,
  );
}
