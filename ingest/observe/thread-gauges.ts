// The metrics of a worker thread that are computed at each scrape.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import {
  THROTTLED_SHOWN_MAX,
  THROTTLED_TRACKED_MAX,
  TopCounts,
} from '../../schema/values/top-counts.ts';
import type { Account } from '../authenticate/directory.ts';
import type { CellPipeline } from '../cell-pipeline.ts';
import { READERS } from '../cell-readers.ts';
import type { Metrics } from './metrics.ts';

/** A stall shorter than this does not matter to a request, and a timer costs a little. */
const LAG_RESOLUTION_MS = 20;

export class ThreadGauges {
  readonly #metrics: Metrics;
  readonly #organizations = new TopCounts(THROTTLED_TRACKED_MAX);
  readonly #keys = new TopCounts(THROTTLED_TRACKED_MAX);
  readonly #loopDelay: IntervalHistogram;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#loopDelay = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    this.#loopDelay.enable();
  }

  noteThrottled({ organizationId, keyId }: Pick<Account, 'organizationId' | 'keyId'>): void {
    this.#organizations.add(organizationId);
    this.#keys.add(keyId);
  }

  set(pipelines: readonly CellPipeline[]): void {
    this.#setSpool(pipelines);
    this.#setRows(pipelines);
    this.#setThrottled();
    const { threadLagSeconds } = this.#metrics;
    const delaySeconds = this.#loopDelay.max / 1e9 - LAG_RESOLUTION_MS / 1000;
    threadLagSeconds.set(Math.max(0, delaySeconds));
    this.#loopDelay.reset();
  }

  #setSpool(pipelines: readonly CellPipeline[]): void {
    const { spoolBytes, spoolRetainedBytes, oldestUnsentSeconds } = this.#metrics;
    for (const gauge of [spoolBytes, spoolRetainedBytes, oldestUnsentSeconds]) gauge.reset();
    // A thread may have several logs per cell, some of them left by threads that no longer exist.
    // The last value set is reported, which is the oldest.
    const byAge = pipelines.map(pipeline => ({ cell: pipeline.cell, ...pipeline.stats() }));
    for (const reader of READERS) {
      byAge.sort((a, b) => a.oldestUnsentMs[reader] - b.oldestUnsentMs[reader]);
      for (const { cell, oldestUnsentMs } of byAge)
        oldestUnsentSeconds.set({ cell, reader }, oldestUnsentMs[reader] / 1000);
    }
    for (const { cell, unsentBytes, retainedBytes } of byAge) {
      spoolBytes.inc({ cell }, unsentBytes);
      spoolRetainedBytes.inc({ cell }, retainedBytes);
    }
  }

  #setRows(pipelines: readonly CellPipeline[]): void {
    const { rowsStored, rowsDelivered, rowsWaiting, unsentBytes } = this.#metrics;
    for (const metric of [rowsStored, rowsDelivered, rowsWaiting, unsentBytes]) metric.reset();
    for (const pipeline of pipelines) {
      const { cell } = pipeline;
      const { rows, unsentBytes: bytes } = pipeline.lag();
      for (const reader of READERS) unsentBytes.inc({ cell, reader }, bytes[reader]);
      // The rows of a requeued log were counted by the log they come from, and the log is removed
      // when it is delivered.
      if (pipeline.isRequeued) continue;
      rowsStored.inc({ cell }, rows.stored);
      rowsDelivered.inc({ cell }, rows.delivered);
      rowsWaiting.inc({ cell }, rows.waiting);
    }
  }

  #setThrottled(): void {
    const { throttledOrganizations, throttledKeys } = this.#metrics;
    throttledOrganizations.reset();
    throttledKeys.reset();
    for (const [organization_id, count] of this.#organizations.top(THROTTLED_SHOWN_MAX))
      throttledOrganizations.inc({ organization_id }, count);
    for (const [sdk_key_id, count] of this.#keys.top(THROTTLED_SHOWN_MAX))
      throttledKeys.inc({ sdk_key_id }, count);
  }
}
