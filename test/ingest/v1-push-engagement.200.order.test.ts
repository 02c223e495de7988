// Reports on pushes may arrive in any order, repeatedly and at the same time. A delivery still has
// one row with the furthest status, one card per kind of event, and one row per outbound event.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { keepAlive } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { cardsOf, deliveriesOf, outboundOf, postPush } from '../harness/push.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useIngest();
const CONNECTIONS = 16;
const LIFE = ['push.delivered', 'push.shown', 'push.clicked', 'push.dismissed'] as const;
const SENT = [...LIFE, 'delivered', 'clicked', 'dismissed', 'push.subscribed'] as const;

type Scenario = {
  readonly reports: readonly (typeof SENT)[number][];
  readonly isAtOnce: boolean;
  readonly person: Readonly<Record<string, string>>;
};

/** The rows expected for a message, in any order of reports. */
function expected({ reports }: Scenario) {
  const kinds = new Set(reports.map(sent => `push.${sent.replace('push.', '')}`));
  const status = ['clicked', 'dismissed', 'shown', 'delivered'].find(s => kinds.has(`push.${s}`));
  const isClicked = kinds.has('push.clicked');
  const isDelivered = kinds.has('push.delivered') || kinds.has('push.shown');
  return {
    statuses: status === undefined ? [] : [status === 'delivered' ? 'shown' : status],
    cards: [...kinds].sort(),
    notices: [
      ...(isClicked ? ['delivery.clicked'] : []),
      ...(isDelivered ? ['delivery.delivered'] : []),
      ...(isClicked ? ['delivery.opened'] : []),
    ],
  };
}

async function play(tenant: Tenant, scenarios: readonly Scenario[]): Promise<void> {
  const agent = keepAlive(CONNECTIONS);
  const queue = [...scenarios.entries()];
  const report = async (message: number, event_type: string, person: Scenario['person']) => {
    const body = { event_type, message_id: `m-${message}`, campaign_id: 'c', ...person };
    const answer = await postPush(ingest(), tenant, body, { agent });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [message, { reports, isAtOnce, person }] = next;
        if (isAtOnce) await Promise.all(reports.map(type => report(message, type, person)));
        else for (const type of reports) await report(message, type, person);
      }
    }),
  );
  agent.destroy();
}

async function expectOutcomes(tenant: Tenant, scenarios: readonly Scenario[]): Promise<void> {
  await untilDrained(ingest());
  const deliveries = await deliveriesOf(tenant.workspaceId);
  const cards = await cardsOf(tenant.workspaceId);
  const outbound = await outboundOf(tenant.workspaceId);
  const of = (message: number) => `m-${message}`;
  for (const [message, scenario] of scenarios.entries()) {
    const mine = deliveries.filter(row => row.message_id === of(message));
    const found = {
      statuses: mine.map(row => row.status),
      cards: cards.filter(row => row.message_id === of(message)).map(row => row.kind),
      notices: outbound
        .filter(({ payload }) => payload.message_id === of(message))
        .map(({ type, payload }) => {
          expect(payload.delivery_id).toBe(mine[0]?.delivery_id);
          return type;
        }),
    };
    expect(found, JSON.stringify(scenario)).toEqual(expected(scenario));
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]),
  );
}

test('all orders of reports, sent one by one, repeated, and concurrently, have the same result', async () => {
  const tenant = await liveTenant(ingest());
  const person = { contact_id: 'contact-1', user_id: 'user-1' };
  const scenarios = permutations(LIFE).flatMap((order): Scenario[] => [
    { reports: order, isAtOnce: false, person },
    { reports: [...order, ...order], isAtOnce: false, person },
    { reports: [...order, ...order, ...order], isAtOnce: true, person },
  ]);
  await play(tenant, scenarios);
  await expectOutcomes(tenant, scenarios);
});

const scenario = fc.record({
  reports: fc.array(fc.constantFrom(...SENT), { minLength: 1, maxLength: 8 }),
  isAtOnce: fc.boolean(),
  person: fc.constantFrom<Scenario['person'][]>(
    { contact_id: 'x' },
    { user_id: 'x' },
    { anonymous_id: 'x' },
    {},
  ),
});

test('any reports in any order, and repeated, have the same result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(scenario, { minLength: 40, maxLength: 80 }), async scenarios => {
      const tenant = await liveTenant(ingest());
      await play(tenant, scenarios);
      await expectOutcomes(tenant, scenarios);
      // Sends all reports again in reverse order, after they are stored: nothing may change.
      await play(
        tenant,
        scenarios.map(each => ({ ...each, reports: each.reports.toReversed() })),
      );
      await expectOutcomes(tenant, scenarios);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
