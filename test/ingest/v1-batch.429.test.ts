import { describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
  untilKnown,
} from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import { startIngest, useIngest } from '../harness/ingest-process.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { createKey, createSibling, sql } from '../harness/tenant.ts';
import { countEvents } from '../harness/warehouse.ts';
import { withinOneWindow } from '../harness/within-one-window.ts';

const ingest = useIngest();

function postCount(writeKey: string, count: number, from = ingest()): Promise<Answer> {
  return postEvents(
    from,
    writeKey,
    Array.from({ length: count }, () => eventText()),
  );
}

function expectLimited(answer: Answer, secondsMax: number): number {
  expectProblem(answer, 429, 'RATE_LIMITED');
  const { 'retry-after': retryAfter, 'x-service-rate-reset': reset } = answer.headers;
  expect(retryAfter).toMatch(/^\d+$/);
  expect(reset).toBe(retryAfter);
  const seconds = Number(retryAfter);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(secondsMax);
  return seconds;
}

describe.concurrent('a cap of a key', () => {
  test('per minute counts events', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 5 });
      expectAccepted(await postCount(writeKey, 3), 3);
      expectAccepted(await postCount(writeKey, 2), 2);
      expectLimited(await postCount(writeKey, 1), 60);
    }));

  test('per hour counts events', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { hourCap: 5 });
      expectAccepted(await postCount(writeKey, 5), 5);
      expectLimited(await postCount(writeKey, 1), 3600);
    }));

  test('Retry-After is the longer of two waits', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 5, hourCap: 5 });
      expectAccepted(await postCount(writeKey, 5), 5);
      const secondsToHour = Math.ceil((3_600_000 - (Date.now() % 3_600_000)) / 1000);
      const seconds = expectLimited(await postCount(writeKey, 1), 3600);
      expect(Math.abs(seconds - secondsToHour)).toBeLessThanOrEqual(5);
    }));

  test('the smaller of the minute and hour caps applies', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 100, hourCap: 3 });
      expectAccepted(await postCount(writeKey, 3), 3);
      expectLimited(await postCount(writeKey, 1), 3600);
    }));

  test('a batch is accepted as a whole or not at all', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 10 });
      const [first, refused, last] = [6, 6, 4].map(count =>
        Array.from({ length: count }, newMessageId),
      );
      const batch = (ids: string[]) =>
        postEvents(
          ingest(),
          tenant.writeKey,
          ids.map(id => eventOf(id)),
        );
      expectAccepted(await batch(first!), 6);
      expectLimited(await batch(refused!), 60);
      // Refused events do not count toward the cap.
      expectAccepted(await batch(last!), 4);
      expectLimited(await postCount(tenant.writeKey, 1), 60);
      await storedEvents(tenant.workspaceId, [...first!, ...last!]);
      expect(await countEvents(tenant.workspaceId)).toBe(10);
    }));

  test('a batch larger than the cap is accepted in an empty window', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 5 });
      expectAccepted(await postCount(writeKey, 20), 20);
      expectLimited(await postCount(writeKey, 1), 60);
      expectLimited(await postCount(writeKey, 20), 60);
    }));

  test('a batch larger than the cap is refused in a window with events', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 5 });
      expectAccepted(await postCount(writeKey, 1), 1);
      expectLimited(await postCount(writeKey, 20), 60);
      expectAccepted(await postCount(writeKey, 4), 4);
    }));

  test('is exact across all threads', () =>
    withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 40 });
      const answers = await Promise.all(Array.from({ length: 120 }, () => postCount(writeKey, 1)));
      const statuses = answers.map(answer => answer.status);
      expect(statuses.filter(status => status === 200)).toHaveLength(40);
      expect(statuses.filter(status => status === 429)).toHaveLength(80);
    }));

  test('applies to one key, not to its workspace', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 2 });
      const other = await createKey(tenant.workspaceId, { minuteCap: 2 });
      await untilKnown(ingest(), other.writeKey);
      expectAccepted(await postCount(tenant.writeKey, 2), 2);
      expectLimited(await postCount(tenant.writeKey, 1), 60);
      expectAccepted(await postCount(other.writeKey, 2), 2);
    }));

  test('does not count events refused for other reasons', () =>
    withinOneWindow(async () => {
      const origins = ['https://shop.example.com'];
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 3, origins });
      const three = batchText(writeKey, [eventText(), eventText(), eventText()]);
      const refused = [
        await post(ingest(), three, { headers: { origin: 'https://evil.example.com' } }),
        await post(ingest(), three.slice(0, -1)),
        await post(ingest(), batchText(writeKey, [eventText()], { sentAt: '"x"' })),
        await post(ingest(), batchText(writeKey, [])),
      ];
      expect(refused.map(answer => answer.status)).toEqual([403, 400, 400, 400]);
      expectAccepted(await post(ingest(), three), 3);
    }));

  test('a higher cap takes effect', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { minuteCap: 2 });
      expectAccepted(await postCount(tenant.writeKey, 2), 2);
      expectLimited(await postCount(tenant.writeKey, 1), 60);
      await sql('UPDATE sdk_keys SET minute_cap = 4 WHERE id = $1', [tenant.keyId]);
      for (let i = 0; i < 2; i++) {
        await eventually(async () => expectAccepted(await postCount(tenant.writeKey, 1), 1));
      }
      expectLimited(await postCount(tenant.writeKey, 1), 60);
    }));

  test('a key without caps has none', async () => {
    const { writeKey } = await liveTenant(ingest());
    const answers = await Promise.all(Array.from({ length: 30 }, () => postCount(writeKey, 100)));
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]));
  });
});

describe.concurrent('the ingress limit of a tenant', () => {
  test('applies across all keys and workspaces', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { eventsPerMinute: 10 });
      const sibling = await createSibling(tenant);
      await untilKnown(ingest(), sibling.writeKey);
      expectAccepted(await postCount(tenant.writeKey, 6), 6);
      expectLimited(await postCount(sibling.writeKey, 5), 60);
      expectAccepted(await postCount(sibling.writeKey, 4), 4);
      expectLimited(await postCount(tenant.writeKey, 1), 60);
    }));

  test('applies in addition to the cap of the key', () =>
    withinOneWindow(async () => {
      const tenant = await liveTenant(ingest(), { eventsPerMinute: 10, minuteCap: 4 });
      const other = await createKey(tenant.workspaceId);
      await untilKnown(ingest(), other.writeKey);
      expectAccepted(await postCount(tenant.writeKey, 4), 4);
      expectLimited(await postCount(tenant.writeKey, 1), 60);
      // The refused request did not count toward the tenant's cap either.
      expectAccepted(await postCount(other.writeKey, 6), 6);
      expectLimited(await postCount(other.writeKey, 1), 60);
    }));

  test('does not affect other tenants', () =>
    withinOneWindow(async () => {
      const [limited, free] = await Promise.all([
        liveTenant(ingest(), { eventsPerMinute: 1 }),
        liveTenant(ingest()),
      ]);
      expectAccepted(await postCount(limited.writeKey, 1), 1);
      expectLimited(await postCount(limited.writeKey, 1), 60);
      expectAccepted(await postCount(free.writeKey, 50), 50);
    }));
});

test('nodes share a cap', async () => {
  const second = await startIngest({ threads: 1 });
  try {
    await withinOneWindow(async () => {
      const { writeKey } = await liveTenant(ingest(), { minuteCap: 60 });
      await untilKnown(second, writeKey);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          postCount(writeKey, 1, i % 2 === 0 ? ingest() : second),
        ),
      );
      const accepted = answers.filter(answer => answer.status === 200).length;
      // Quota leased by one node may stay unused while another runs out, but the cap is never
      // exceeded.
      expect(accepted).toBeLessThanOrEqual(60);
      expect(accepted).toBeGreaterThanOrEqual(20);
      for (const node of [ingest(), second]) {
        await eventually(async () => expectLimited(await postCount(writeKey, 1, node), 60));
      }
    });
  } finally {
    await second.stop();
  }
});

test('a restart does not refill a cap', () =>
  withinOneWindow(async () => {
    const node = await startIngest({ threads: 1 });
    try {
      const { writeKey } = await liveTenant(node, { minuteCap: 5 });
      expectAccepted(await postCount(writeKey, 5, node), 5);
      await node.stop();
      await node.restart();
      expectLimited(await postCount(writeKey, 5, node), 60);
    } finally {
      await node.stop();
    }
  }));
