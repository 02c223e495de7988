// What findRows gives is what the ORM's own find gives, for every entity and kind of column.

import { describe, expect, test } from 'vitest';
import { ALL_ENTITIES } from '../../../../graphql-api/app/all-entities.ts';
import { AuditEntry } from '../../../../graphql-api/platform/audit-entry.entity.ts';
import { findRows } from '../../../../graphql-api/platform/database/find-rows.ts';
import { SdkKey } from '../../../../graphql-api/tenancy/sdk-key.entity.ts';
import { Workspace } from '../../../../graphql-api/tenancy/workspace.entity.ts';
import { createKey, createTenant, sql } from '../../../harness/tenant.ts';
import { useDeps } from '../../harness/deps.ts';

const deps = useDeps();

/** What the entity's columns hold, without what the ORM keeps beside it. */
function valuesOf(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row));
}

describe('rows as the ORM finds them', () => {
  test('with every kind of value', async () => {
    const { organizationId, workspaceId, keyId } = await createTenant({
      origins: ['https://a.example', 'https://"b", c'],
      minuteCap: 5,
    });
    await sql(`UPDATE sdk_keys SET revoked_at = '2026-03-04T05:06:07.891Z' WHERE id = $1`, [keyId]);
    const { keyId: other } = await createKey(workspaceId);
    await deps().database.asTenant(organizationId, async em => {
      const found = await findRows(em, SdkKey, { id: [keyId, other], workspaceId });
      const expected = await em.find(SdkKey, { id: { $in: [keyId, other] } });
      const byId = (rows: SdkKey[]) => new Map(rows.map(row => [row.id, valuesOf(row)]));
      expect(byId(found)).toEqual(byId(expected));
      expect(found).toHaveLength(2);
      expect(found[0]).toBeInstanceOf(SdkKey);
    });
  });

  test('of every entity that has any', async () => {
    await createTenant();
    await deps().database.asSystem(async em => {
      for (const each of ALL_ENTITIES) {
        const entity = each as typeof SdkKey;
        const { tableName, primaryKeys } = em.getMetadata(entity);
        const [one] = await em.find(entity, {}, { limit: 1 });
        const where = Object.fromEntries(primaryKeys.map(key => [key, one?.[key as 'id']]));
        const rows = one === undefined ? [] : await findRows(em, entity, where);
        expect(rows.map(valuesOf), tableName).toEqual(one === undefined ? [] : [valuesOf(one)]);
      }
    });
  });
});

test('what is written to a row is never saved', async () => {
  const { organizationId, keyId } = await createTenant();
  await deps().database.asTenant(organizationId, async em => {
    const [key] = await findRows(em, SdkKey, { id: keyId });
    key!.name = 'not to be';
  });
  const [row] = await sql('SELECT name FROM sdk_keys WHERE id = $1', [keyId]);
  expect(row?.name).not.toBe('not to be');
});

test('each shape of a question has a statement of its own', async () => {
  const [mine, other] = [await createTenant(), await createTenant()];
  await deps().database.asTenant(mine.organizationId, async em => {
    const ids = [mine.workspaceId, other.workspaceId];
    for (let i = 0; i < 10; i++) {
      const { organizationId } = mine;
      expect(await findRows(em, Workspace, { id: ids })).toHaveLength(1);
      expect(await findRows(em, Workspace, { id: [] as string[] })).toHaveLength(0);
      expect(await findRows(em, Workspace, { id: other.workspaceId })).toHaveLength(0);
      expect(await findRows(em, Workspace, { id: ids, organizationId })).toHaveLength(1);
      expect(await findRows(em, AuditEntry, { organizationId })).toHaveLength(0);
    }
  });
});

test('a name that is no column is refused', async () => {
  const { organizationId } = await createTenant();
  const reading = deps().database.asTenant(organizationId, em =>
    findRows(em, SdkKey, { 'id" = id --': 'x' } as never),
  );
  await expect(reading).rejects.toThrow('has no');
});
