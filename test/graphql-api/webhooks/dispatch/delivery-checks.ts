import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { type DeliveryScene, deliveryScene, type Endpoint } from './delivery-scene.ts';
import { httpReceiver, type Received, type Receiver } from './hostile-servers.ts';

/** A scene with two senders for all tests of a file, and what became of the deliveries in it. */
export function useDeliveries() {
  let scene: DeliveryScene | undefined;
  beforeAll(async () => {
    scene = await deliveryScene();
    // Like two processes: neither sends deliveries that the other has claimed.
    for (let number = 0; number < 2; number++) scene.startSender({ timing: { stopGraceMs: 100 } });
  });
  afterAll(() => scene?.close());
  const running = () => {
    if (scene === undefined) throw new Error('senders start in beforeAll; use them in tests only');
    return scene;
  };
  return { scene: running, ...deliveryChecks(running) };
}

/** Reads what became of the deliveries of an endpoint. */
function deliveryChecks(scene: () => DeliveryScene) {
  async function untilState(endpoint: Endpoint, states: readonly string[]) {
    return eventually(async () => {
      const rows = await scene().deliveries(endpoint.id);
      expect(rows.map(({ state }) => state)).toEqual(states);
      return rows;
    });
  }

  async function endpointRow({ id }: Endpoint) {
    return (await scene().query('SELECT * FROM webhook_endpoints WHERE id = $1', [id]))[0]!;
  }

  function untilAttempted(endpoint: Endpoint, attempts: number) {
    return eventually(async () => {
      const [row] = await scene().deliveries(endpoint.id);
      expect(row).toMatchObject({ attempts, claimed_until: null });
      return row!;
    });
  }
  return { untilState, endpointRow, untilAttempted };
}

/** A receiver that responds with this status, which the test may change. */
export async function receiverOf(status: number, headers: Record<string, string> = {}) {
  const now = { status, headers };
  const receiver = await httpReceiver((_request, answer) => {
    answer.writeHead(now.status, now.headers).end('what nobody is to see');
  });
  return Object.assign(receiver, { now });
}

export function verified(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

export const idsOf = ({ received }: Receiver) =>
  received.map(({ headers }) => String(headers['webhook-id']));
