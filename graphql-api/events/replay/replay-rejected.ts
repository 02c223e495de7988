// Corrects rejected events and sends them to ingest again. An accepted event is an ordinary event
// with the times of its first arrival; a second replay is deduplicated by its message ID. An event
// that is rejected again stays in rejected_events.

import { setTimeout as wait } from 'node:timers/promises';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { type Correction, correctEvent } from './correct-event.ts';
import {
  type EventRequest,
  type IngestVerdict,
  type PostTools,
  postEvents,
  type RefusedEvent,
} from './post-events.ts';
import {
  type Asks,
  countRejected,
  type Position,
  type RejectedEvent,
  type RejectedFilter,
  readRejected,
} from './read-rejected.ts';

export type Replay = RejectedFilter & {
  readonly correction: Correction;
  /** The maximum number of events, earliest first. */
  readonly limit: number;
  /** The maximum number of these events to try. Defaults to all. */
  readonly triedMax?: number;
  /** Returns the expected results without storing anything. */
  readonly isDryRun: boolean;
  readonly eventsPerSecond: number;
};

type ReplayTools = PostTools & {
  readonly warehouses: Asks;
  /** Called and awaited after each request. */
  readonly onProgress?: (report: ReplayReport) => void | Promise<void>;
};

export type ReplayReport = {
  /** The number of matching events, up to the limit. */
  readonly found: number;
  readonly accepted: number;
  /** The number of events where the body, or a value that a path of the correction leads through,
   * is not an object. */
  readonly uncorrectable: number;
  /** The number of events rejected again, by error code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Some of the events rejected again. */
  readonly samples: readonly RefusedEvent[];
  /** In a dry run, the first event that the correction changes. */
  readonly example?: CorrectedEvent;
};

/** The JSON texts of an event. */
type CorrectedEvent = { readonly before: string; readonly after: string };

/** An event has up to 500 KB, and a ClickHouse response up to 64 MB. */
const PAGE_EVENTS = 100;
/** The same limit as in /v1/batch. */
const REQUEST_EVENTS_MAX = 100;
/** Leaves room for the batch envelope within 500 KB. */
const REQUEST_BYTES_MAX = 450_000;
const SAMPLES_MAX = 5;

export async function replayRejected(tools: ReplayTools, replay: Replay): Promise<ReplayReport> {
  const { warehouses, signal } = tools;
  const matching = await countRejected(warehouses, replay);
  const found = Math.min(matching, replay.limit);
  const tally: Tally = { found, accepted: 0, uncorrectable: 0, refused: {}, samples: [] };
  const pace = createPace(replay.eventsPerSecond);
  let after: Position | undefined;
  for (let left = Math.min(replay.limit, replay.triedMax ?? replay.limit); left > 0; ) {
    const count = Math.min(left, PAGE_EVENTS);
    const page = await readRejected(warehouses, replay, after, count);
    for (const request of requestsOf(page, replay, tally)) {
      await pace(request.texts.length, signal);
      addVerdict(tally, await postEvents(tools, request, replay));
      await tools.onProgress?.(tally);
    }
    if (page.length < count) break;
    after = page.at(-1);
    left -= page.length;
  }
  return tally;
}

function requestsOf(page: readonly RejectedEvent[], replay: Replay, tally: Tally): EventRequest[] {
  const requests: { events: RejectedEvent[]; texts: string[] }[] = [];
  for (const batch of Map.groupBy(page, batchOf).values()) {
    let bytes = Number.POSITIVE_INFINITY;
    for (const event of batch) {
      const { body, receivedAt, sentAt } = event;
      const derived = derivedUuid('replay', replay.workspaceId, body);
      const facts = { received_at: receivedAt, sent_at: sentAt, derived };
      const text = correctEvent(body, replay.correction, facts);
      if (text === undefined) {
        tally.uncorrectable++;
        continue;
      }
      if (replay.isDryRun && text !== body) tally.example ??= { before: body, after: text };
      const size = Buffer.byteLength(text) + 1;
      const isFull = requests.at(-1)?.texts.length === REQUEST_EVENTS_MAX;
      if (bytes + size > REQUEST_BYTES_MAX || isFull) {
        requests.push({ events: [], texts: [] });
        bytes = 0;
      }
      requests.at(-1)!.events.push(event);
      requests.at(-1)!.texts.push(text);
      bytes += size;
    }
  }
  return requests;
}

function batchOf({ propertyId, sdkKeyId, sentAt, batchContext, receivedAt }: RejectedEvent) {
  return JSON.stringify([propertyId, sdkKeyId, sentAt, batchContext, receivedAt]);
}

/** A report that is still being counted. */
type Tally = {
  -readonly [Name in keyof ReplayReport]: ReplayReport[Name];
} & { readonly refused: Record<string, number>; readonly samples: RefusedEvent[] };

function addVerdict(tally: Tally, { accepted, refused }: IngestVerdict): void {
  tally.accepted += accepted;
  for (const sample of refused) {
    tally.refused[sample.code] = (tally.refused[sample.code] ?? 0) + 1;
    if (tally.samples.length < SAMPLES_MAX) tally.samples.push(sample);
  }
}

/** Returns a function that waits until the rate allows this many events. */
function createPace(eventsPerSecond: number) {
  let freeAtMs = performance.now();
  return async (events: number, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    const waitMs = freeAtMs - performance.now();
    freeAtMs = Math.max(freeAtMs, performance.now()) + (events / eventsPerSecond) * 1000;
    if (waitMs > 0) await wait(waitMs, undefined, signal && { signal });
  };
}
