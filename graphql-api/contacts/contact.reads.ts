import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { withinTimeLimit } from '../platform/database/within-time-limit.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Rejected, reject } from '../platform/rejected.ts';
import { countQuestion } from '../platform/warehouse/ask.ts';
import { createSlots } from '../platform/warehouse/slots.ts';
import { type ContactFilter, contactFilterContract } from './contact.contract.ts';
import { Contact } from './contact.entity.ts';

/** The maximum size of a contact's traits as JSON, so that a page of contacts stays small. */
const TRAITS_SHOWN_BYTES_MAX = 256 * 1024;

/** As long as the longest term in `contact_search_terms`. */
const TERM_CHARACTERS_MAX = 128;

/** Enough to read 400,000 contacts. The statement holds a connection meanwhile. */
const SEARCH_MS_MAX = 2_000;
/** Together with those that wait, fewer than the connections of a pool, so that other requests get one. */
const slots = createSlots({ runningMax: 4, runningOfOneMax: 2, waitingMax: 4, waitMsMax: 2_000 });

export const contacts = workspaceReads(Contact);

export async function contactsPage(
  context: Context,
  page: PageRequest,
  filter: ContactFilter,
): Promise<Page<Contact>> {
  const { success, data, error } = contactFilterContract.safeParse(filter);
  if (!success) throw new Rejected(contractRejections(error));
  const { search, trait, userIdPrefix, isSuppressed } = data;
  const workspaceId = workspaceOf(context.viewer);
  const where = {
    workspaceId,
    ...(search && { [matches(workspaceId, search)]: [] }),
    ...(trait && { [hasTrait(trait)]: [] }),
    ...(userIdPrefix && { [raw(item => `${item}.user_id ^@ ?`, [userIdPrefix])]: [] }),
    ...(typeof isSuppressed === 'boolean' && {
      suppressedAt: isSuppressed ? { $ne: null } : null,
    }),
  };
  const pageOf = (em: EntityManager) => readPage(em, Contact, where, page);
  if (!search && !trait) return pageOf(await context.read());
  const release = trait ? await slotFor(context) : undefined;
  try {
    return await withinTimeLimit(await context.read(), SEARCH_MS_MAX, pageOf);
  } catch (error) {
    return refuseIfSlow(error);
  } finally {
    release?.();
  }
}

/** To read all contacts of the workspace. */
function slotFor(context: Context): Promise<() => void> {
  countQuestion(context);
  return slots.take(workspaceOf(context.viewer)).catch(() =>
    reject('REPORT_UNAVAILABLE', {
      message: 'Too many searches by trait are running. Retry later.',
      facts: { retryAfterSeconds: 5 },
    }),
  );
}

/**
 * The whole search is the beginning of a term, or each of its words is: a term can have spaces. Unlike LIKE, `^@` is
 * leakproof, so it can use an index despite row-level security. OFFSET 0 makes Postgres begin with the terms: it
 * knows how often a term is used by all workspaces together, not by this one.
 */
function matches(workspaceId: string, search: string) {
  const words = [...new Set(search.trim().split(/\s+/))];
  const found = `select contact_id from contact_search_terms
    where workspace_id = ? and term ^@ left(lower(btrim(?)), ${TERM_CHARACTERS_MAX})`;
  const byWords = words.map(() => found).join(' intersect ');
  const [terms, texts] =
    words.length === 1 ? [found, words] : [`${found} union all ${byWords}`, [search, ...words]];
  return raw(
    item => `${item}.id in (${terms} offset 0)`,
    texts.flatMap(text => [workspaceId, text]),
  );
}

/**
 * As in the rule of an audience, a trait whose name contains dots takes precedence over a nested one. Unlike in
 * a rule, a number leads into a list.
 */
function hasTrait({ name, value }: NonNullable<ContactFilter['trait']>) {
  if (!name.includes('.')) return raw(item => `${item}.traits ->> ? = ?`, [name, value]);
  return raw(
    item => `coalesce(${item}.traits ->> ?, ${item}.traits #>> string_to_array(?, '.')) = ?`,
    [name, name, value],
  );
}

const TOO_SLOW =
  'Finding these contacts took too long. Narrow the search by adding a user ID, name or email, or by entering more characters.';
/** Of Postgres, for a statement that reached its time limit. */
const QUERY_CANCELED = '57014';

/** Traits and short beginnings have no index that could find the few contacts of a large workspace. */
function refuseIfSlow(error: unknown): never {
  if ((error as { readonly code?: unknown }).code !== QUERY_CANCELED) throw error;
  return reject('REPORT_TOO_LARGE', { message: TOO_SLOW });
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
