import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { requireOrganization } from './require-organization.ts';

/**
 * Crockford's base 32: no letters that look or sound like digits, and no U, so that no words
 * appear.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 50 bits, so codes cannot be guessed. */
const CODE_CHARACTERS = 10;

/**
 * Returns the code of the viewer's organization, and creates it on first use. Uses a separate
 * connection of the system role, because the caller already holds the connection of the request's
 * snapshot and must not wait for a second one from the same pool.
 */
export async function ensureReferralCode(context: Context): Promise<string> {
  const { deps, requestId } = context;
  const viewer = context.viewer ?? reject('UNAUTHENTICATED');
  const { organizationId } = viewer;
  const existing = await codeOf(await context.read(), organizationId);
  if (existing !== undefined) return existing;
  return deps.database.asSystem(async em => {
    await requireOrganization(em, organizationId, null);
    for (;;) {
      const code = randomCode();
      // Either a concurrent request was first, or, very rarely, another organization has this code.
      const inserted = await kysely(em)
        .insertInto('referral_codes')
        .values({ code, organizationId, createdAt: new Date(deps.clock.nowMs()) })
        .onConflict(taken => taken.doNothing())
        .returning('code')
        .execute();
      if (inserted.length > 0) {
        await recordChange(
          { em, viewer, deps, requestId },
          {
            action: 'referral_code.create',
            subjectId: code,
            workspaceId: null,
            after: { code },
          },
        );
        return code;
      }
      const theirs = await codeOf(em, organizationId);
      if (theirs !== undefined) return theirs;
    }
  });
}

async function codeOf(em: EntityManager, organizationId: string): Promise<string | undefined> {
  const row = await kysely(em)
    .selectFrom('referral_codes')
    .select('code')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return row?.code;
}

function randomCode(): string {
  return Array.from({ length: CODE_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
    '',
  );
}
