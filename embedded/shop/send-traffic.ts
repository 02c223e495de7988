import { askIngest, type ShopDemo } from './ask.ts';
import { atPace } from './at-pace.ts';
import { deviceOf, REGULARS } from './customers.ts';
import { faultOf, stepOf } from './steps.ts';
import type { Tally } from './tally.ts';

export type Traffic = {
  /** Events a second. */
  readonly rate: number;
  readonly tally: Tally;
  readonly signal: AbortSignal;
};

/** Above this rate, the batches grow. */
const REQUESTS_PER_SECOND_MAX = 10;
/** The maximum batch size of ingest, 100. */
export const RATE_MAX = 1_000;

type BatchAnswer = { readonly accepted: number; readonly rejected?: readonly unknown[] };

/** Sends events of the regular customers until the signal is aborted; some of them are invalid. */
export async function sendTraffic(demo: ShopDemo, { rate, tally, signal }: Traffic): Promise<void> {
  const size = Math.ceil(rate / REQUESTS_PER_SECOND_MAX);
  const begun = Date.now().toString(36);
  const pace = { everyMs: (1_000 * size) / rate, signal, onUnanswered: () => tally.unanswered++ };
  await atPace(pace, async request => {
    const now = new Date().toISOString();
    const batch = Array.from({ length: size }, (_, index) => {
      const at = request * size + index;
      return { messageId: `shop-${begun}-${at}`, timestamp: now, ...eventAt(at) };
    });
    const body = { writeKey: demo.writeKey, sentAt: now, batch };
    const { accepted, rejected = [] } = await askIngest<BatchAnswer>(demo, '/v1/batch', { body });
    tally.accepted += accepted;
    tally.rejected += rejected.length;
  });
}

function eventAt(at: number): object {
  const place = at % REGULARS.length;
  const customer = REGULARS[place]!;
  return {
    userId: customer.userId,
    anonymousId: deviceOf(customer),
    sessionId: `session-of-${customer.userId}`,
    ...(faultOf(at) ?? stepOf(customer, place, Math.floor(at / REGULARS.length))),
  };
}
