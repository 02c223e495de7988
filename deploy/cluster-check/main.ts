// npm run cluster-check: checks on a real ClickHouse cluster what the tests of this repository cannot check,
// because they run on one embedded engine. It works in a separate database, which it removes. It prints a
// table, and exits with 1 if a check failed, or with 2 if there is no cluster to check.

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { shardAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import { clickhouseProblems, clickhouseUrls } from '../../schema/environment/clickhouse-urls.ts';
import { CHECKS } from './checks.ts';
import { type Outcome, outcomeTable } from './outcome-table.ts';
import { openScene, type Scene } from './scene.ts';

const HELP = `npm run cluster-check

Checks a ClickHouse cluster: definitions, replication, quorum, failover, deduplication, settling and part counts.

  CLICKHOUSE_CLUSTER  the name of the cluster
  CLICKHOUSE_URL      the URLs of all servers in the cluster, with commas between the replicas of a shard and
                      semicolons between shards. At least one shard must have two or more replicas. The user needs
                      all privileges on databases named cluster_check_…, and the privileges CLUSTER, REMOTE and
                      SYSTEM SYNC REPLICA

To start three servers and Keeper on this machine with Docker:

  docker compose -f deploy/cluster/compose.yaml up --detach --wait
  export CLICKHOUSE_CLUSTER=engagement
  export CLICKHOUSE_URL='http://default:check@127.0.0.1:18123,http://default:check@127.0.0.1:18124;http://default:check@127.0.0.1:18125'
  npm run cluster-check
`;

async function main(): Promise<number> {
  const problems = problemsOf(process.env);
  if (problems.length > 0) {
    process.stderr.write(`There is no cluster to check.\n${problems.join('\n')}\n\n${HELP}`);
    return 2;
  }
  const scene = openScene({
    addresses: clickhouseUrls(process.env).default!,
    cluster: process.env.CLICKHOUSE_CLUSTER!.trim(),
    database: `cluster_check_${randomUUID().replaceAll('-', '')}`,
    sleep: ms => wait(ms),
  });
  const outcomes = await runChecks(scene);
  await scene.close();
  process.stdout.write(`${outcomeTable(outcomes)}\n`);
  return outcomes.every(({ result }) => result === 'passed') ? 0 : 1;
}

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const { default: addresses } = clickhouseUrls(env);
  const problems = [...clickhouseProblems(env)];
  if (!env.CLICKHOUSE_CLUSTER?.trim()) problems.push('CLICKHOUSE_CLUSTER is not set.');
  if (addresses === undefined) problems.push('CLICKHOUSE_URL is not set.');
  else if (shardAddresses(addresses).every(replicas => replicas.length < 2))
    problems.push('CLICKHOUSE_URL has no shard with two replicas.');
  return problems;
}

/** Each check builds on those before it, so none runs after a failure. */
async function runChecks(scene: Scene): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of CHECKS) {
    const { name } = check;
    if (outcomes.some(({ result }) => result === 'failed')) {
      outcomes.push({ name, result: 'not run', detail: '' });
      continue;
    }
    process.stderr.write(`${name} …\n`);
    try {
      outcomes.push({ name, result: 'passed', detail: await check.run(scene) });
    } catch (error) {
      outcomes.push({ name, result: 'failed', detail: (error as Error).message });
    }
  }
  return outcomes;
}

process.exitCode = await main();
