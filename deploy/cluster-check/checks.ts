// The checks, in order. Each returns its result for the table, or throws.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { settleEvents } from '../../ingest/settle/settle-events.ts';
import { migrateClickHouse } from '../../migrations/migrate-clickhouse.ts';
import { readSqlFiles } from '../../migrations/sql-files.ts';
import { DAY_MS } from '../../schema/values/durations.ts';
import { startLossyProxy } from './lossy-proxy.ts';
import type { SampleEvent } from './sample-contents.ts';
import type { Scene, Server } from './scene.ts';

type Check = { readonly name: string; run(scene: Scene): Promise<string> };

export const CHECKS: readonly Check[] = [
  { name: 'every server answers', run: checkServers },
  { name: 'Keeper responds to every server', run: checkKeeper },
  { name: 'migrations run twice', run: checkMigrations },
  { name: 'replicas are active', run: checkReplicas },
  { name: 'the rows are divided among the shards', run: checkShards },
  { name: 'an event sent twice is read once', run: checkCopies },
  { name: 'a block becomes one part', run: checkParts },
  { name: 'replicas share deduplication tokens', run: checkTokens },
  { name: 'a quorum insert reaches all replicas', run: checkQuorum },
  { name: 'a server dies during an insert', run: checkFailover },
  { name: 'late events and closed days', run: checkSettling },
];

const EVENTS = 1_000;
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations', 'clickhouse');
/** Replication takes milliseconds; a busy cluster may need seconds. */
const REPLICATION_LOOKS = 60;
const LOOK_INTERVAL_MS = 500;

async function checkServers({ servers, shards }: Scene): Promise<string> {
  const versions = new Set<string>();
  for (const server of servers) versions.add(await outsideDatabase(server, 'SELECT version()'));
  return `${servers.length} servers in ${shards.length} shards, ${[...versions].join(', ')}`;
}

async function checkKeeper({ servers }: Scene): Promise<string> {
  for (const server of servers)
    await outsideDatabase(server, "SELECT count() FROM system.zookeeper WHERE path = '/'");
  return '';
}

async function checkMigrations({ addresses, cluster, servers }: Scene): Promise<string> {
  const files = readSqlFiles(MIGRATIONS);
  const lines: string[] = [];
  for (let run = 0; run < 2; run++)
    await migrateClickHouse(
      { cell: 'default', url: addresses, cluster },
      files,
      line => lines.push(line),
      undefined,
    );
  if (!lines.at(-1)?.endsWith('up to date'))
    throw new Error(`The second run changed something: ${lines.at(-1)}`);
  const counts = await Promise.all(
    servers.map(server =>
      ask(server, 'SELECT count() FROM system.tables WHERE database = currentDatabase()'),
    ),
  );
  if (new Set(counts).size > 1)
    throw new Error(`The servers have different numbers of tables: ${counts.join(', ')}.`);
  return `${files.length} files, ${counts[0]} tables and views on each server`;
}

async function checkReplicas({ shards }: Scene): Promise<string> {
  for (const replicas of shards)
    for (const server of replicas) {
      const wrong = await ask(
        server,
        `SELECT count() FROM system.replicas WHERE database = currentDatabase()
         AND (is_readonly OR active_replicas != ${replicas.length} OR total_replicas != ${replicas.length})`,
      );
      if (wrong !== '0')
        throw new Error(`${hostOf(server)}: ${wrong} tables lack a replica or are read-only.`);
    }
  return shards.map(({ length }) => length).join(' + ');
}

async function checkShards(scene: Scene): Promise<string> {
  await scene.insert(eventsOf('copy'));
  const rows: string[] = [];
  for (const replicas of scene.shards) {
    const counts = await sameOnAll(
      scene,
      replicas,
      "SELECT count() FROM events_raw WHERE startsWith(message_id, 'copy ')",
    );
    rows.push(counts);
  }
  const sum = rows.reduce((total, count) => total + Number(count), 0);
  if (sum !== EVENTS)
    throw new Error(`The shards have ${rows.join(' + ')} rows instead of ${EVENTS}.`);
  return rows.join(' + ');
}

async function checkCopies(scene: Scene): Promise<string> {
  await scene.insert(eventsOf('copy'));
  for (const server of scene.servers)
    await until(scene, async () => {
      const answer = await ask(
        server,
        "SELECT count(), uniqExact(message_id) FROM events WHERE startsWith(message_id, 'copy ')",
      );
      return answer === `${EVENTS}\t${EVENTS}` ? undefined : `${hostOf(server)} returned ${answer}`;
    });
  return `${EVENTS} events, read on each server`;
}

async function checkParts(scene: Scene): Promise<string> {
  const id = await scene.insert(eventsOf('part'));
  for (const replicas of scene.shards) {
    const parts = await sameOnAll(
      scene,
      replicas,
      `SELECT uniqExact(_part) FROM events_raw WHERE batch_id = '${id}'`,
    );
    if (parts !== '1') throw new Error(`A block became ${parts} parts.`);
  }
  return '1 part on each server';
}

async function checkTokens(scene: Scene): Promise<string> {
  const replicas = scene.shards.find(({ length }) => length > 1)!;
  const message = `token ${randomUUID()}`;
  for (const server of replicas)
    await server.execute(
      `INSERT INTO events_raw (message_id, timestamp, received_at) SELECT '${message}', now64(3), now64(3)`,
      { settings: { insert_deduplication_token: message, async_insert: 0 } },
    );
  const count = `SELECT count() FROM events_raw WHERE message_id = '${message}'`;
  const rows = await sameOnAll(scene, replicas, count);
  if (rows !== '1') throw new Error(`Inserts with the same token stored ${rows} rows.`);
  return `${replicas.length} inserts, 1 row`;
}

async function checkQuorum(scene: Scene): Promise<string> {
  const replicas = scene.shards.find(({ length }) => length > 1)!;
  const addresses = replicas.map(({ url }) => url).join();
  const id = await scene.insert(eventsOf('quorum'), { addresses, quorum: replicas.length });
  for (const server of replicas) {
    const rows = await ask(server, `SELECT count() FROM events_raw WHERE batch_id = '${id}'`);
    if (rows !== String(EVENTS))
      throw new Error(`${hostOf(server)} has ${rows} of ${EVENTS} rows after the insert.`);
  }
  return `${replicas.length} of ${replicas.length} replicas after the insert`;
}

async function checkFailover(scene: Scene): Promise<string> {
  const replicas = scene.shards.find(({ length }) => length > 1)!;
  const [dying, ...others] = replicas.map(({ url }) => url);
  if (!dying!.startsWith('http:')) throw new Error('This check needs http addresses.');
  const proxy = await startLossyProxy(dying!);
  try {
    // Inserts begin with the second address.
    const addresses = [others[0], proxy.url, ...others.slice(1)].join();
    const id = await scene.insert(eventsOf('failover'), { addresses });
    if (!proxy.hasDied()) throw new Error('No insert reached the server that should have died.');
    const count = `SELECT count() FROM events_raw WHERE batch_id = '${id}'`;
    const rows = await sameOnAll(scene, replicas, count);
    if (rows !== String(EVENTS)) throw new Error(`${rows} rows are stored instead of ${EVENTS}.`);
    return `${rows} rows, each once`;
  } finally {
    proxy.close();
  }
}

async function checkSettling(scene: Scene): Promise<string> {
  const day = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
  for (const [leader] of scene.shards)
    for (const copy of ['a', 'b', 'a'])
      await leader!.execute(
        `INSERT INTO events_raw (message_id, timestamp, received_at, inserted_at)
         VALUES ('closed ${copy}', '${day} 10:00:00', '${day} 10:00:01', '${day} 10:00:02')`,
        { settings: { insert_deduplicate: 0, async_insert: 0 } },
      );
  await scene.insert(eventsOf('late', Date.now() - 5 * DAY_MS));
  // Late events are moved once all inserts that began before them have ended.
  await scene.sleep(2_000);
  for (const [leader, ...others] of scene.shards) {
    const deps = { clickhouse: leader!, others, node: randomUUID(), lagMs: 0, rowsMin: 1 };
    while ((await settleEvents({ ...deps, sleep: scene.sleep })).hasMore);
    const partition = `(0,${day.replaceAll('-', '')})`;
    for (const server of [leader!, ...others]) {
      const parts = await ask(
        server,
        `SELECT count() FROM system.parts WHERE database = currentDatabase() AND table = 'events_raw' AND active AND partition = '${partition}'`,
      );
      if (parts !== '1')
        throw new Error(`${hostOf(server)} stores the closed day in ${parts} parts.`);
    }
  }
  const expected = `${2 * scene.shards.length}\t${EVENTS}`;
  for (const server of scene.servers)
    await until(scene, async () => {
      const answer = await ask(
        server,
        "SELECT countIf(startsWith(message_id, 'closed ')), countIf(startsWith(message_id, 'late ')) FROM events",
      );
      return answer === expected ? undefined : `${hostOf(server)} returned ${answer}`;
    });
  return `on each server, 1 part for the closed day and ${EVENTS} late events`;
}

function eventsOf(name: string, timestampMs = Date.now()): readonly SampleEvent[] {
  const receivedAtMs = Date.now();
  return Array.from({ length: EVENTS }, (_, n) => ({
    messageId: `${name} ${n}`,
    timestampMs,
    receivedAtMs,
  }));
}

/** The response of the servers, once it is the same for all. */
async function sameOnAll(scene: Scene, servers: readonly Server[], sql: string): Promise<string> {
  let answers: string[] = [];
  await until(scene, async () => {
    for (const server of servers)
      await server.execute('SYSTEM SYNC REPLICA events_raw LIGHTWEIGHT');
    answers = await Promise.all(servers.map(server => ask(server, sql)));
    return new Set(answers).size === 1 ? undefined : `The replicas returned ${answers.join(', ')}`;
  });
  return answers[0]!;
}

/** Rejects with the last problem. */
async function until(
  { sleep }: Scene,
  problemOf: () => Promise<string | undefined>,
): Promise<void> {
  for (let looks = 1; ; looks++) {
    const problem = await problemOf();
    if (problem === undefined) return;
    if (looks === REPLICATION_LOOKS) throw new Error(problem);
    await sleep(LOOK_INTERVAL_MS);
  }
}

async function ask(server: Server, sql: string): Promise<string> {
  return (await server.execute(`${sql} FORMAT TSV`)).trim();
}

/** For statements before the database of the check exists. */
async function outsideDatabase({ url, ...server }: Server, sql: string): Promise<string> {
  const answer = await server
    .execute(`${sql} FORMAT TSV`, { settings: { database: 'default' } })
    .catch((error: Error) => {
      throw new Error(`${new URL(url).host}: ${error.message}`);
    });
  return answer.trim();
}

function hostOf({ url }: Server): string {
  return new URL(url).host;
}
