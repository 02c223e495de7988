// Three queries and a mutation of the control plane: by the API over HTTP, by the same SQL through
// `pg` alone with the same row-level security, and by a yoga server whose resolvers do nothing. The
// three alternate in short rounds, so that other load on the machine affects all of them. For
// ratios and p99 at half load, the median round is shown.

import { availableParallelism } from 'node:os';
import { type LoadedServer, startApi, startBare } from './api-processes.ts';
import { type ApiScenario, apiScenarios } from './api-scenarios.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { driveHttp } from './drive-http.ts';
import { joined, type Load, type Measured, median, quantileMs, rateOf } from './measured.ts';
import { driveSql } from './plain-sql.ts';
import type { Row } from './print-table.ts';
import { type Stack, startStack } from './stack.ts';

const CONNECTIONS = 16;
const ROUNDS = 5;
/** Node compiles hot code during the first thousands of requests. The API has the most code to compile:
 * the cost of a single row falls for about 40 s, from 1.5 to 0.9 CPU seconds per 1,000. */
const WARM_UP_SECONDS = { API: 40, 'plain SQL': 2, 'bare yoga': 5 };

type Side = 'API' | 'plain SQL' | 'bare yoga';

type Drive = {
  readonly side: Side;
  readonly run: (load: Pick<Load, 'seconds' | 'rate'>) => Promise<Measured>;
  readonly cpuSeconds: () => Promise<number>;
};

type Round = Measured & { readonly cpuSeconds: number };

export const apiBench: Bench = {
  name: 'api',
  title: `GraphQL over HTTP, compared with the same SQL through pg alone and with a bare yoga server: one process each, ${CONNECTIONS} connections, with Postgres and the load generator on the same ${availableParallelism()} cores`,
  run: async options => {
    const { progress, only } = options;
    const keys = only?.split(',');
    progress('starting Postgres, ClickHouse, ingest and the API');
    const stack = await startStack();
    try {
      const scenarios = (await apiScenarios(stack)).filter(
        ({ key }) => keys?.includes(key) ?? true,
      );
      if (scenarios.length === 0) throw new Error(`No scenario has the key ${only}.`);
      const api = await startApi(stack, CONNECTIONS);
      try {
        const rows: Row[] = [];
        for (const scenario of scenarios)
          rows.push(...(await compare(stack, api, scenario, options)));
        return rows;
      } finally {
        await api.stop();
      }
    } finally {
      await stack.stop();
    }
  },
};

async function compare(
  stack: Stack,
  api: LoadedServer,
  scenario: ApiScenario,
  { seconds, progress }: BenchOptions,
): Promise<Row[]> {
  const bare = await startBare(await rootFields(api, scenario));
  try {
    const drives = [sqlDrive(stack, scenario), httpDrive('API', api, scenario)];
    const all = [...drives, httpDrive('bare yoga', bare, scenario)];
    progress(`${scenario.name}: warming up`);
    for (const { side, run } of all) await run({ seconds: WARM_UP_SECONDS[side] });
    const rounds = new Map<Side, Round[]>(all.map(({ side }) => [side, []]));
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`${scenario.name}: round ${round} of ${ROUNDS}`);
      for (const drive of all)
        rounds.get(drive.side)!.push(await measure(drive, { seconds: seconds / ROUNDS }));
    }
    const rate = rateOf(joined(rounds.get('API')!)) / 2;
    const half: Measured[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`${scenario.name}: at half load, round ${round} of ${ROUNDS}`);
      half.push(await drives[1]!.run({ seconds: seconds / ROUNDS, rate }));
    }
    return all.map(({ side }) => rowOf(scenario, side, rounds, side === 'API' ? half : []));
  } finally {
    await bare.stop();
  }
}

async function measure({ run, cpuSeconds }: Drive, load: { seconds: number }): Promise<Round> {
  const before = await cpuSeconds();
  const measured = await run(load);
  return { ...measured, cpuSeconds: (await cpuSeconds()) - before };
}

function rowOf(
  { name }: ApiScenario,
  side: Side,
  rounds: ReadonlyMap<Side, readonly Round[]>,
  half: readonly Measured[],
): Row {
  const own = rounds.get(side)!;
  const measured = joined(own);
  const cpuSeconds = own.reduce((sum, round) => sum + round.cpuSeconds, 0);
  const ratios = own.map(
    (round, index) => rateOf(round) / rateOf(rounds.get('plain SQL')![index]!),
  );
  return {
    scenario: name,
    by: side,
    'requests/s': Math.round(rateOf(measured)),
    'p50 ms': quantileMs(measured, 0.5),
    'p99 ms': quantileMs(measured, 0.99),
    'CPU s per 1,000': twoDigits((cpuSeconds * 1000) / measured.latenciesMs.length),
    'of plain SQL': twoDigits(median(ratios)),
    'lowest, highest': [Math.min(...ratios), Math.max(...ratios)].map(twoDigits).join(', '),
    [`p99 ms at half: median of ${ROUNDS} rounds, each`]:
      half.length === 0 ? '' : p99OfRounds(half),
    failed: measured.failed + joined(half).failed,
  };
}

/** Each round is printed, because a median hides two bad rounds of five. */
function p99OfRounds(rounds: readonly Measured[]): string {
  const all = rounds.map(round => quantileMs(round, 0.99));
  return `${median(all)}: ${all.join(', ')}`;
}

function sqlDrive({ databaseUrls, tenant }: Stack, { statements }: ApiScenario): Drive {
  const { organizationId } = tenant;
  const url = databaseUrls.app;
  return {
    side: 'plain SQL',
    run: load => driveSql({ ...load, url, organizationId, statements, connections: CONNECTIONS }),
    // Includes the loop that drives the requests, which does little.
    cpuSeconds: async () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  };
}

function httpDrive(side: Side, server: LoadedServer, scenario: ApiScenario): Drive {
  const { url, headers, cpuSeconds } = server;
  const body = (count: number) => bodyOf(scenario, count);
  return {
    side,
    run: load => driveHttp({ ...load, url, headers, body, connections: CONNECTIONS }),
    cpuSeconds,
  };
}

/** The API's response to the first request, which the bare server always returns. */
async function rootFields({ url, headers }: LoadedServer, scenario: ApiScenario) {
  const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(scenario, 0) });
  const { data, errors } = (await answer.json()) as {
    data: Record<string, unknown>;
    errors: unknown;
  };
  if (errors !== undefined) throw new Error(`${scenario.name}: ${JSON.stringify(errors)}`);
  const isMutation = scenario.document.startsWith('mutation');
  return isMutation ? { Query: {}, Mutation: data } : { Query: data, Mutation: {} };
}

function bodyOf({ document, variables }: ApiScenario, count: number): string {
  return JSON.stringify({ query: document, variables: variables(count) });
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}
