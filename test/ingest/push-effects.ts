import { expect } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import type { Answer } from '../harness/http.ts';
import type { Ingest } from '../harness/ingest-process.ts';
import { cardsOf, deliveriesOf, outboundOf, type PushBody, postPush } from '../harness/push.ts';
import type { Tenant } from '../harness/tenant.ts';

export function pushReports(ingest: () => Ingest) {
  async function report(tenant: Tenant, body: PushBody): Promise<void> {
    expectSuccess(await postPush(ingest(), tenant, body));
  }
  return { report };
}

export function expectSuccess(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS"}']);
}

/** Every report creates a card, so when the last card is stored, all other rows will be soon. */
export function untilCards(tenant: Tenant, count: number) {
  return eventually(async () => {
    const cards = await cardsOf(tenant.workspaceId);
    expect(cards).toHaveLength(count);
    return cards;
  });
}

export function untilDeliveries(tenant: Tenant, count: number) {
  return eventually(async () => {
    const deliveries = await deliveriesOf(tenant.workspaceId);
    expect(deliveries).toHaveLength(count);
    return deliveries;
  });
}

export function untilOutbound(tenant: Tenant, count: number) {
  return eventually(async () => {
    const outbound = await outboundOf(tenant.workspaceId);
    expect(outbound).toHaveLength(count);
    return outbound;
  });
}
