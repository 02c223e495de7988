// Divides the events of a day into chunks of consecutive time.

import { MINUTE_MS, SECOND_MS } from '../../schema/values/durations.ts';
import type { RangeMs } from '../platform/warehouse/report-range.ts';

/** A period with its events. */
export type Chunk = RangeMs & { readonly events: number; readonly fingerprint: bigint };

/** By the number of the bucket since 1970. */
export type Bucket = {
  readonly bucket: number;
  readonly events: number;
  readonly fingerprint: string;
};

type CountBuckets = (range: RangeMs, bucketMs: number) => Promise<readonly Bucket[]>;

/** About 100 MB as JSON lines, which is downloaded and repeated as a whole. */
const CHUNK_EVENTS_MAX = 100_000;

/** Chunks have at most `eventsMax` events, unless a single second has more. */
export async function divideDay(
  day: RangeMs,
  countBuckets: CountBuckets,
  eventsMax = CHUNK_EVENTS_MAX,
): Promise<Chunk[]> {
  const periods: Chunk[] = [];
  for (const minute of await periodsOf(day, MINUTE_MS, countBuckets)) {
    if (minute.events <= eventsMax) periods.push(minute);
    else periods.push(...(await periodsOf(minute, SECOND_MS, countBuckets)));
  }
  return joined(periods, eventsMax);
}

async function periodsOf(
  range: RangeMs,
  bucketMs: number,
  countBuckets: CountBuckets,
): Promise<Chunk[]> {
  const buckets = await countBuckets(range, bucketMs);
  return buckets.map(({ bucket, events, fingerprint }) => ({
    fromMs: Math.max(range.fromMs, bucket * bucketMs),
    toMs: Math.min(range.toMs, (bucket + 1) * bucketMs),
    events,
    fingerprint: BigInt(fingerprint),
  }));
}

/** Joins neighbors as long as they fit into one chunk. */
function joined(periods: readonly Chunk[], eventsMax: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (const period of periods) {
    const last = chunks.at(-1);
    if (last === undefined || last.events + period.events > eventsMax) chunks.push(period);
    else
      chunks[chunks.length - 1] = {
        fromMs: last.fromMs,
        toMs: period.toMs,
        events: last.events + period.events,
        // The hashes of events are combined by XOR, so those of periods are, too.
        fingerprint: last.fingerprint ^ period.fingerprint,
      };
  }
  return chunks;
}
