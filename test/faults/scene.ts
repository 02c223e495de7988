// The environment of a fault test: an ingest whose requests to ClickHouse pass through a proxy with
// faults, and its own tenant.

import type { TestContext } from 'vitest';
import { eventOf, newMessageId, type Texts } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents, untilKnown } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.ts';
import { type IngestOptions, type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

export type Scene = {
  readonly proxy: FaultProxy;
  readonly ingest: IngestProcess;
  readonly tenant: Tenant;
  /** Sends one batch, expects it to be acknowledged, and returns its message IDs. */
  send(count: number, fields?: (number: number) => Texts): Promise<string[]>;
  /** Restarts the process after a kill or a stop; resolves when it accepts events again. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves once all requests have ended, so that the stored data no longer changes. */
  settled(): Promise<void>;
};

/** Concurrent tests must pass their own context; otherwise one test ends the process of another. */
export type TestHooks = Pick<TestContext, 'onTestFinished' | 'onTestFailed'>;

export async function openScene(
  { onTestFinished, onTestFailed }: TestHooks,
  clickhouseUrl: string,
  options: IngestOptions = {},
): Promise<Scene> {
  const proxy = await startFaultProxy(clickhouseUrl);
  onTestFinished(() => proxy.close());
  const env = { ...options.env, CLICKHOUSE_URL: proxy.url };
  const ingest = await startIngest({ threads: 1, ...options, env });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  const tenant = await liveTenant(ingest);
  return {
    proxy,
    ingest,
    tenant,
    async send(count, fields = () => ({})) {
      const ids = Array.from({ length: count }, newMessageId);
      const events = ids.map((id, i) => eventOf(id, fields(i)));
      expectAccepted(await postEvents(ingest, tenant.writeKey, events), count);
      return ids;
    },
    async restart(env) {
      await ingest.restart(env);
      await untilKnown(ingest, tenant.writeKey);
    },
    async settled() {
      await untilDrained(ingest);
      await proxy.idle();
    },
  };
}
