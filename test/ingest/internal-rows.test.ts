import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest, useIngest } from '../harness/ingest-process.ts';
import { cardRow, deliveryRow, INTERNAL_TOKEN, postInternal } from '../harness/internal.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { rows } from '../harness/warehouse.ts';

const ingest = useIngest({ threads: 1, env: { INTERNAL_TOKEN } });

function post(workspaceId: string, table: string, sent: readonly object[]) {
  return postInternal(ingest().url, '/internal/rows', {
    workspace_id: workspaceId,
    table,
    rows: sent,
  });
}

async function stored(view: string, workspaceId: string, count: number) {
  return eventually(async () => {
    const found = await rows<Record<string, unknown>>(
      `SELECT * FROM ${view} WHERE workspace_id = {workspaceId:UUID} ORDER BY received_at`,
      { workspaceId },
    );
    expect(found).toHaveLength(count);
    return found;
  });
}

describe.concurrent('rows of the control plane', () => {
  test('are stored as sent, and omitted columns are empty', async () => {
    const { workspaceId, propertyId } = await liveTenant(ingest());
    const card = cardRow({ property_id: propertyId, details: '{"größe":"🚀\\u0000"}' });
    const answer = await post(workspaceId, 'activity_cards_raw', [card]);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: 'SUCCESS', accepted: 1 });
    const [row] = await stored('activity_cards', workspaceId, 1);
    expect(row).toEqual({
      ...card,
      workspace_id: workspaceId,
      contact_id: '',
      anonymous_id: '',
      delivery_id: '00000000-0000-0000-0000-000000000000',
      campaign_id: '',
      message_id: '',
      platform: '',
    });
  });

  test('with the same identity count once, with the furthest status of a delivery', async () => {
    const { workspaceId } = await liveTenant(ingest());
    const shown = deliveryRow();
    const clicked = { ...shown, status: 'clicked', rank: 3, event_type: 'email.clicked' };
    await post(workspaceId, 'deliveries_raw', [clicked, shown]);
    await post(workspaceId, 'deliveries_raw', [shown, shown]);
    const last = deliveryRow({ received_at: new Date(Date.now() + 1000).toISOString() });
    await post(workspaceId, 'deliveries_raw', [last]);
    const [first] = await stored('deliveries', workspaceId, 2);
    expect(first).toMatchObject({ delivery_id: shown.delivery_id, status: 'clicked' });
  });

  test('are counted', async () => {
    const { workspaceId } = await liveTenant(ingest());
    await post(workspaceId, 'activity_cards_raw', [cardRow(), cardRow()]);
    const metrics = await fetch(`${ingest().url}/metrics`);
    expect(await metrics.text()).toMatch(
      /ingest_internal_rows_total\{table="activity_cards_raw"\} \d/,
    );
  });

  test('of a workspace without any key are accepted, too', async () => {
    const tenant = await createTenant();
    await sql('DELETE FROM sdk_keys WHERE workspace_id = $1', [tenant.workspaceId]);
    await eventually(async () => {
      const answer = await post(tenant.workspaceId, 'activity_cards_raw', [cardRow()]);
      expect(answer.status).toBe(200);
    });
  });
});

describe.concurrent('nothing is stored of a request', () => {
  test.for([
    ['an unknown column', cardRow({ colour: 'red' }), 'colour is not a column'],
    ['another workspace', cardRow({ workspace_id: randomUUID() }), 'workspace_id is not a column'],
    ['the spool’s own column', cardRow({ batch_id: randomUUID() }), 'batch_id is not a column'],
    ['an identity left out', cardRow({ card_id: undefined }), 'card_id is missing'],
    ['an identity that is none', cardRow({ card_id: 'card-1' }), 'card_id must be a UUID'],
    ['a number for a text', cardRow({ kind: 7 }), 'kind must be a string'],
    ['a NUL', cardRow({ user_id: 'a\0b' }), 'user_id must be a string'],
    ['a lone surrogate', cardRow({ user_id: '\ud800' }), 'user_id must be a string'],
    ['a time that is none', cardRow({ received_at: 'now' }), 'received_at must be an ISO 8601'],
    ['a row too large', cardRow({ details: 'x'.repeat(270_000) }), 'larger than'],
  ] as const)('with %s', async ([, row, message]) => {
    const { workspaceId } = await liveTenant(ingest());
    const good = cardRow();
    const answer = await post(workspaceId, 'activity_cards_raw', [good, row]);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'INVALID_FIELD',
      rejected: [{ index: 1, message: expect.stringContaining(message) }],
    });
    const last = cardRow();
    await post(workspaceId, 'activity_cards_raw', [last]);
    expect(await stored('activity_cards', workspaceId, 1)).toMatchObject([
      { card_id: last.card_id },
    ]);
  });

  test.for([-1, 65_536, 1.5, '1'])('with the rank %j', async rank => {
    const { workspaceId } = await liveTenant(ingest());
    const answer = await post(workspaceId, 'deliveries_raw', [deliveryRow({ rank })]);
    expect(answer.json()).toMatchObject({ code: 'INVALID_FIELD' });
  });

  test.for(['events_raw', 'rejected_events_raw', 'outbox_exposures', 'nothing', '__proto__'])(
    'for the table %s',
    async table => {
      const { workspaceId } = await liveTenant(ingest());
      const answer = await post(workspaceId, table, [cardRow()]);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        detail: `The control plane cannot write to table ${table}.`,
      });
    },
  );

  test.for([
    ['no JSON', '{', 'MALFORMED_JSON'],
    ['no object', '[]', 'INVALID_FIELD'],
    ['no workspace', { table: 'activity_cards_raw', rows: [cardRow()] }, 'INVALID_FIELD'],
  ] as const)('that is %s', async ([, body, code]) => {
    const answer = await postInternal(ingest().url, '/internal/rows', body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code });
  });

  test('without rows, or with too many', async () => {
    const { workspaceId } = await liveTenant(ingest());
    for (const sent of [[], Array.from({ length: 501 }, () => ({}))])
      expect((await post(workspaceId, 'activity_cards_raw', sent)).status).toBe(400);
  });

  test('of a workspace that does not exist', async () => {
    const answer = await post(randomUUID(), 'activity_cards_raw', [cardRow()]);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'WORKSPACE_NOT_FOUND' });
  });

  test('of a disabled cell', async () => {
    const tenant = await createTenant({ cell: { slug: 'off', isEnabled: false } });
    await eventually(async () => {
      const answer = await post(tenant.workspaceId, 'activity_cards_raw', [cardRow()]);
      expect(answer.status).toBe(502);
      expect(answer.headers['retry-after']).toBeDefined();
    });
  });
});

describe.concurrent('the credential', () => {
  test.for([
    ['none', undefined],
    ['another', 'x'.repeat(INTERNAL_TOKEN.length)],
    ['a longer one', `${INTERNAL_TOKEN}x`],
    ['a part of it', INTERNAL_TOKEN.slice(0, -1)],
  ] as const)('%s is refused', async ([, token]) => {
    for (const path of ['/internal/rows', '/internal/batch'] as const) {
      const answer = await postInternal(ingest().url, path, {}, { token });
      expect(answer.status).toBe(401);
      expect(answer.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  test('a write key is not accepted', async () => {
    const { writeKey, workspaceId } = await liveTenant(ingest());
    const body = { workspace_id: workspaceId, table: 'activity_cards_raw', rows: [cardRow()] };
    const answer = await postInternal(ingest().url, '/internal/rows', body, { token: writeKey });
    expect(answer.status).toBe(401);
  });
});

test('without an internal token, ingest does not have these paths', async () => {
  const without = await startIngest({ threads: 1 });
  try {
    for (const path of ['/internal/rows', '/internal/batch'] as const)
      expect((await postInternal(without.url, path, {})).status).toBe(404);
  } finally {
    await without.stop();
  }
});
