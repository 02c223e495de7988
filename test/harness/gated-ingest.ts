import { expect, inject } from 'vitest';
import { expectProblem } from './batch-client.ts';
import type { Answer } from './http.ts';
import { type IngestProcess, startIngest } from './ingest-process.ts';
import { startTcpGate } from './tcp-gate.ts';

export type GatedIngest = {
  readonly ingest: IngestProcess;
  /** Makes Postgres available or unavailable to this process only. */
  setPostgresThere(isThere: boolean): void;
  stop(): Promise<void>;
};

/** An ingest process whose connection to Postgres can be cut. */
export async function startGatedIngest(
  env: Readonly<Record<string, string>> = {},
): Promise<GatedIngest> {
  const address = new URL(inject('databaseUrls').system);
  const gate = await startTcpGate(address.hostname, Number(address.port));
  address.port = String(gate.port);
  const ingest = await startIngest({ env: { ...env, DATABASE_SYSTEM_URL: address.href } });
  return {
    ingest,
    setPostgresThere: isThere => gate.setOpen(isThere),
    async stop() {
      await ingest.stop();
      await gate.close();
    },
  };
}

export function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 503, 'UNAVAILABLE');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}
