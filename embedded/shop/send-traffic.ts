import { askIngest, type ShopDemo } from './ask.ts';
import { atPace } from './at-pace.ts';
import { identityOf, REGULARS } from './customers.ts';
import { faultOf } from './steps.ts';
import type { Tally } from './tally.ts';
import { Visits } from './visits.ts';

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

/** Sends the events of visitors until the signal is aborted; some of them are invalid. */
export async function sendTraffic(demo: ShopDemo, { rate, tally, signal }: Traffic): Promise<void> {
  const size = Math.ceil(rate / REQUESTS_PER_SECOND_MAX);
  const visits = new Visits();
  const begun = Date.now().toString(36);
  const pace = { everyMs: (1_000 * size) / rate, signal, onUnanswered: () => tally.unanswered++ };
  await atPace(pace, async request => {
    const nowMs = Date.now();
    const now = new Date(nowMs).toISOString();
    const batch = Array.from({ length: size }, (_, index) => {
      const at = request * size + index;
      const event = invalidEvent(at) ?? visits.next(nowMs);
      return { messageId: `shop-${begun}-${at}`, timestamp: now, ...event };
    });
    const body = { writeKey: demo.writeKey, sentAt: now, batch };
    const { accepted, rejected = [] } = await askIngest<BatchAnswer>(demo, '/v1/batch', { body });
    tally.accepted += accepted;
    tally.rejected += rejected.length;
  });
}

/** A report that is invalid comes from a regular, so that it never replaces the step of a visitor. */
function invalidEvent(at: number): object | undefined {
  const fault = faultOf(at);
  return fault && { ...identityOf(REGULARS[at % REGULARS.length]!), ...fault };
}
