// Runs one question on a table or a view, and measures it.

import type { ClickHouseClient } from '@clickhouse/client';
import { bytesRead, cpuOf, forgetPeak, residentMb, totalSeconds } from '../ingest/process-usage.ts';
import { median } from '../measured.ts';

/** After one warm-up run. */
const TIMES = 3;

export type Asker = {
  readonly client: ClickHouseClient;
  /** The process of ClickHouse. */
  readonly pid: number;
  readonly parameters: Readonly<Record<string, string>>;
};

export type Asked = {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly readMb: number;
  readonly peakMb: number;
};

/** Runs the statements in turn, and returns the medians of each. Throws if their results differ. */
export async function askInTurns(asker: Asker, statements: readonly string[]): Promise<Asked[]> {
  const taken = statements.map((): Asked[] => []);
  for (let time = 0; time <= TIMES; time++) {
    const answers = new Set<string>();
    for (const [n, statement] of statements.entries()) {
      const { answer, asked } = await ask(asker, statement);
      answers.add(answer);
      if (time > 0) taken[n]!.push(asked);
    }
    if (answers.size > 1) throw new Error(`The results differ: ${statements.join('\n')}`);
  }
  return taken.map(medianOf);
}

async function ask({ client, pid, parameters }: Asker, query: string) {
  forgetPeak(pid);
  const [memoryBefore, readBefore] = [residentMb(pid).now, bytesRead(pid)];
  const [cpuBefore, startedMs] = [cpuOf(pid), performance.now()];
  const result = await client.query({
    query,
    query_params: parameters,
    format: 'TabSeparated',
    // Otherwise the second run would skip granules that the first run found not to match.
    clickhouse_settings: { use_query_condition_cache: 0 },
  });
  const answer = await result.text();
  const asked: Asked = {
    ms: performance.now() - startedMs,
    cpuSeconds: totalSeconds(cpuOf(pid)) - totalSeconds(cpuBefore),
    readMb: (bytesRead(pid) - readBefore) / 1e6,
    peakMb: Math.max(0, residentMb(pid).peak - memoryBefore),
  };
  return { answer, asked };
}

function medianOf(asked: readonly Asked[]): Asked {
  const of = (figure: (one: Asked) => number) => median(asked.map(figure));
  return {
    ms: of(one => one.ms),
    cpuSeconds: of(one => one.cpuSeconds),
    readMb: of(one => one.readMb),
    peakMb: of(one => one.peakMb),
  };
}
