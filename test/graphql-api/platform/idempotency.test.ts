// How idempotency keys are stored: in the transaction of the action. Requests of clients are tested
// with the mutations and REST routes.

import { describe, expect, onTestFinished, test } from 'vitest';
import { type Rejected, reject } from '../../../graphql-api/platform/rejected.ts';
import { type Action, runAction } from '../../../graphql-api/platform/run-action.ts';
import { SdkKey } from '../../../graphql-api/tenancy/sdk-key.entity.ts';
import { eventually } from '../../harness/eventually.ts';
import { createSibling, createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { contextOf, useDeps } from '../harness/deps.ts';

const deps = useDeps();
const HOUR_MS = 60 * 60 * 1000;

type Input = { readonly name: string; readonly more?: Record<string, unknown> };

/** Adds a key to the workspace each time it is executed. */
const addKey: Action<Input, { id: string }> = async ({ em, viewer, deps: { newId } }, { name }) => {
  const id = newId();
  await em.insert(SdkKey, {
    id,
    workspaceId: viewer.workspaceId!,
    name,
    writeKey: `wk_${id}`,
  });
  return { id };
};

function add(tenant: Tenant, input: Input, idempotencyKey: string, userId = 'user-1') {
  const context = contextOf(deps(), tenant, { userId });
  return runAction(context, addKey, input, { operation: 'addKey', idempotencyKey });
}

async function namesOf(tenant: Tenant): Promise<unknown[]> {
  const rows = await sql(
    `SELECT name FROM sdk_keys WHERE workspace_id = $1 AND name <> 'test' ORDER BY created_at`,
    [tenant.workspaceId],
  );
  return rows.map(row => row.name);
}

const MISMATCH = { rejections: [{ code: 'IDEMPOTENCY_KEY_MISMATCH' }] };

describe('the same key', () => {
  test('with the same input returns the first result, without repeating the action', async () => {
    const tenant = await createTenant();
    const first = await add(tenant, { name: 'one' }, 'key');
    expect(await add(tenant, { name: 'one' }, 'key')).toEqual(first);
    expect(await namesOf(tenant)).toEqual(['one']);
  });

  test('with the fields of the input in another order is the same', async () => {
    const tenant = await createTenant();
    const first = await add(tenant, { name: 'one', more: { a: 1, b: [2] } }, 'key');
    expect(await add(tenant, { more: { b: [2], a: 1 }, name: 'one' }, 'key')).toEqual(first);
  });

  test('with another input is refused', async () => {
    const tenant = await createTenant();
    await add(tenant, { name: 'one' }, 'key');
    await expect(add(tenant, { name: 'two' }, 'key')).rejects.toMatchObject(MISMATCH);
    expect(await namesOf(tenant)).toEqual(['one']);
  });

  test('of another user, or for another workspace, is refused', async () => {
    const tenant = await createTenant();
    const sibling = await createSibling(tenant);
    await add(tenant, { name: 'one' }, 'key');
    await expect(add(tenant, { name: 'one' }, 'key', 'user-2')).rejects.toMatchObject(MISMATCH);
    await expect(add(sibling, { name: 'one' }, 'key')).rejects.toMatchObject(MISMATCH);
  });

  test('of another organization is another key', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const first = await add(mine, { name: 'one' }, 'key');
    expect(await add(other, { name: 'two' }, 'key')).not.toEqual(first);
    expect(await namesOf(other)).toEqual(['two']);
  });

  test('of another operation is another key', async () => {
    const tenant = await createTenant();
    const context = contextOf(deps(), tenant);
    await add(tenant, { name: 'one' }, 'key');
    await runAction(context, addKey, { name: 'one' }, { operation: 'else', idempotencyKey: 'key' });
    expect(await namesOf(tenant)).toEqual(['one', 'one']);
  });

  test('after a day is a new one', async () => {
    const tenant = await createTenant();
    const clock = deps().clock;
    clock.setMs(Date.now() - 25 * HOUR_MS);
    const first = await add(tenant, { name: 'one' }, 'key');
    clock.setMs(Date.now() - 2 * HOUR_MS);
    expect(await add(tenant, { name: 'one' }, 'key')).toEqual(first);
    clock.setMs(Date.now());
    const third = await add(tenant, { name: 'three' }, 'key');
    expect(third).not.toEqual(first);
    expect(await add(tenant, { name: 'three' }, 'key')).toEqual(third);
  });
});

test('one of many concurrent requests does the work, and all receive its response', async () => {
  const tenant = await createTenant();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => add(tenant, { name: 'one' }, 'key')),
  );
  expect(new Set(answers.map(answer => answer.id)).size).toBe(1);
  expect(await namesOf(tenant)).toEqual(['one']);
});

describe('while a request with the same key is in progress', () => {
  /** Starts an action that has done its work, and fails when the test tells it to. */
  async function startFailing(tenant: Tenant) {
    const isHeld = Promise.withResolvers<void>();
    const mayFail = Promise.withResolvers<void>();
    const fail: Action<Input, { id: string }> = async (scope, input) => {
      await addKey(scope, input);
      isHeld.resolve();
      await mayFail.promise;
      return reject('FORBIDDEN');
    };
    const options = { operation: 'addKey', idempotencyKey: 'key' };
    const failing = runAction(contextOf(deps(), tenant), fail, { name: 'one' }, options);
    const refused = failing.then(
      () => 'done',
      error => (error as Rejected).rejections[0]?.code,
    );
    onTestFinished(() => mayFail.resolve());
    await isHeld.promise;
    return { mayFail, refused };
  }

  test('another one waits, and does the work itself if the first fails', async () => {
    const tenant = await createTenant();
    const { mayFail, refused } = await startFailing(tenant);
    const waiting = add(tenant, { name: 'one' }, 'key');
    await eventually(async () => {
      const [row] = await sql(
        `SELECT count(*)::int AS count FROM pg_locks
         WHERE locktype = 'transactionid' AND NOT granted`,
      );
      expect(row?.count).toBeGreaterThan(0);
    });
    mayFail.resolve();
    expect(await refused).toBe('FORBIDDEN');
    expect(await waiting).toEqual({ id: expect.any(String) });
    expect(await namesOf(tenant)).toEqual(['one']);
  });

  test('another one is refused as in progress if the first takes too long', async () => {
    const tenant = await createTenant();
    await startFailing(tenant);
    await expect(add(tenant, { name: 'one' }, 'key')).rejects.toMatchObject({
      rejections: [{ code: 'IDEMPOTENCY_IN_PROGRESS' }],
    });
  });
});

test('a refusal is not stored: the same request is evaluated again', async () => {
  const tenant = await createTenant();
  const refuse: Action<Input, { id: string }> = async () => reject('FORBIDDEN');
  const options = { operation: 'addKey', idempotencyKey: 'key' };
  const refused = runAction(contextOf(deps(), tenant), refuse, { name: 'one' }, options);
  await expect(refused).rejects.toMatchObject({ rejections: [{ code: 'FORBIDDEN' }] });
  await add(tenant, { name: 'one' }, 'key');
  expect(await namesOf(tenant)).toEqual(['one']);
});

test.each(['', 'x'.repeat(256), 'tab\t', 'é'])('%j is not an idempotency key', async key => {
  const tenant = await createTenant();
  await expect(add(tenant, { name: 'one' }, key)).rejects.toMatchObject({
    rejections: [{ code: 'INVALID_IDEMPOTENCY_KEY' }],
  });
});
