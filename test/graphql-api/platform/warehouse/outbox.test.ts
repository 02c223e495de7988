import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putRows } from '../../../../graphql-api/platform/warehouse/put-rows.ts';
import { eventually } from '../../../harness/eventually.ts';
import { cardRow, deliveryRow } from '../../../harness/internal.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import { rows } from '../../../harness/warehouse.ts';
import { type OutboxScene, outboxScene } from './outbox-scene.ts';

let scene: OutboxScene;
beforeAll(async () => {
  scene = await outboxScene();
  await scene.startApi();
});
afterAll(() => scene?.close());

async function cardsOf(tenant: Tenant): Promise<string[]> {
  const found = await rows<{ card_id: string }>(
    'SELECT card_id FROM activity_cards WHERE workspace_id = {workspaceId:UUID}',
    tenant,
  );
  return found.map(row => row.card_id).sort();
}

async function untilThere(tenant: Tenant, cards: readonly { card_id: string }[]): Promise<void> {
  const ids = cards.map(card => card.card_id).sort();
  await eventually(async () => expect(await cardsOf(tenant)).toEqual(ids));
}

function waiting(tenant: Tenant) {
  return scene.query(
    'SELECT row, attempts, failure, failed_at FROM ingest_outbox WHERE workspace_id = $1',
    [tenant.workspaceId],
  );
}

describe.concurrent('rows written by an action', () => {
  test('are stored and removed from the outbox', async () => {
    const tenant = await scene.createTenant();
    const card = cardRow({ user_id: 'größe 🚀', details: '{"a":"\\u0000"}' });
    const delivery = deliveryRow();
    await scene.put(tenant, [card]);
    await scene.put(tenant, [delivery], 'deliveries_raw');
    await untilThere(tenant, [card]);
    const [row] = await rows<object>(
      'SELECT * FROM activity_cards WHERE workspace_id = {workspaceId:UUID}',
      tenant,
    );
    expect(row).toMatchObject(card);
    const deliveries = await eventually(async () => {
      const found = await rows<object>(
        'SELECT * FROM deliveries WHERE workspace_id = {workspaceId:UUID}',
        tenant,
      );
      expect(found).toHaveLength(1);
      return found;
    });
    expect(deliveries).toMatchObject([
      { delivery_id: delivery.delivery_id, status: 'shown', event_type: 'email.opened' },
    ]);
    await eventually(async () => expect(await waiting(tenant)).toEqual([]));
  });

  test('have the current time if they contain none', async () => {
    const tenant = await scene.createTenant();
    const { received_at: _none, ...card } = cardRow();
    const before = Date.now();
    await scene.put(tenant, [card]);
    await untilThere(tenant, [card]);
    const [row] = await rows<{ received_at: string }>(
      'SELECT received_at FROM activity_cards WHERE workspace_id = {workspaceId:UUID}',
      tenant,
    );
    expect(Date.parse(row!.received_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(row!.received_at)).toBeLessThanOrEqual(Date.now());
  });

  test('are not stored if the action fails', async () => {
    const tenant = await scene.createTenant();
    const { database } = scene.deps;
    const failed = database.asTenant(tenant.organizationId, async em => {
      const { workspaceId } = tenant;
      await putRows(em, scene.deps, {
        workspaceId,
        table: 'activity_cards_raw',
        rows: [cardRow()],
      });
      throw new Error('after all');
    });
    await expect(failed).rejects.toThrow('after all');
    const later = cardRow();
    await scene.put(tenant, [later]);
    await untilThere(tenant, [later]);
  });

  test('belong to its organization', async () => {
    const [mine, other] = [await scene.createTenant(), await scene.createTenant()];
    const planted = scene.put({ ...other, organizationId: mine.organizationId }, [cardRow()]);
    await expect(planted).rejects.toThrow('row-level security');
  });

  test.for([
    ['without their identity', cardRow({ card_id: undefined }), 'activity_cards_raw'],
    ['with an unknown column', cardRow({ colour: 'red' }), 'activity_cards_raw'],
    ['for another table', cardRow(), 'events_raw'],
  ] as const)('are refused immediately %s', async ([, row, table]) => {
    const tenant = await scene.createTenant();
    await expect(scene.put(tenant, [row], table)).rejects.toThrow(/card_id|colour|events_raw/);
    expect(await waiting(tenant)).toEqual([]);
  });

  test('can be many and large', async () => {
    const tenant = await scene.createTenant();
    const large = Array.from({ length: 8 }, () => cardRow({ details: 'ü'.repeat(100_000) }));
    const small = Array.from({ length: 1_200 }, () => cardRow());
    await scene.put(tenant, [...large, ...small]);
    await untilThere(tenant, [...large, ...small]);
  });
});

describe.concurrent('a row that cannot be stored', () => {
  test('temporarily waits for its cell and does not block others', async () => {
    const away = await scene.createTenant({ cell: { slug: 'paused', isEnabled: false } });
    const other = await scene.createTenant();
    const [waits, passes] = [cardRow(), cardRow()];
    await scene.put(away, [waits]);
    await scene.put(other, [passes]);
    await untilThere(other, [passes]);
    await eventually(async () => {
      const [row] = await waiting(away);
      expect(row).toMatchObject({ failure: expect.stringContaining('502'), failed_at: null });
    });
    // Moves the workspace, like an operator does, to a cell for which ingest has an address.
    await scene.query(
      `UPDATE workspaces SET cell_id = (SELECT id FROM cells WHERE slug = 'default') WHERE id = $1`,
      [away.workspaceId],
    );
    await untilThere(away, [waits]);
    await eventually(async () => expect(await waiting(away)).toEqual([]));
  });

  test('permanently is kept with the reason, and the other rows of its request are stored', async () => {
    const tenant = await scene.createTenant();
    const good = [cardRow(), cardRow(), cardRow()];
    const bad = { ...cardRow(), kind: 7 };
    // Inserted as another release might have written it.
    await scene.query(
      `INSERT INTO ingest_outbox (id, workspace_id, table_name, row)
       SELECT gen_random_uuid(), $1, 'activity_cards_raw', value
       FROM jsonb_array_elements($2::jsonb)`,
      [tenant.workspaceId, JSON.stringify([good[0], bad, good[1], good[2]])],
    );
    await untilThere(tenant, good);
    await eventually(async () => {
      expect(await waiting(tenant)).toEqual([
        {
          row: bad,
          // Earlier attempts may have failed because ingest did not know the workspace yet.
          attempts: expect.any(Number),
          failure: '400: kind must be a string without NUL characters or lone surrogates.',
          failed_at: expect.any(Date),
        },
      ]);
    });
  });
});
