// The statements of an API request, sent with `pg` alone: as the application role, with the
// organization set for row-level security, and one connection per concurrent request.

import pg from 'pg';
import type { Load, Measured } from './measured.ts';

export type Statement = readonly [text: string, values: readonly unknown[]];

export type SqlLoad = Load & {
  readonly url: string;
  readonly organizationId: string;
  /** The statements between BEGIN and COMMIT, by the number of the request. */
  readonly statements: (count: number) => readonly Statement[];
};

const SET_ORGANIZATION = `SELECT set_config('app.organization_id', $1, true)`;

export async function driveSql(load: SqlLoad): Promise<Measured> {
  const latenciesMs: number[] = [];
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client = new pg.Client({ connectionString: load.url });
      await client.connect();
      return client;
    }),
  );
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + load.seconds * 1000;
  let count = 0;
  const work = async (client: pg.Client) => {
    for (let sentAtMs = startedAtMs; sentAtMs < endsAtMs; ) {
      sentAtMs = performance.now();
      await transact(client, load, count++);
      latenciesMs.push(performance.now() - sentAtMs);
    }
  };
  try {
    await Promise.all(clients.map(work));
    const seconds = (performance.now() - startedAtMs) / 1000;
    return { latenciesMs, seconds, failed: 0 };
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}

async function transact(client: pg.Client, load: SqlLoad, count: number): Promise<void> {
  await client.query('BEGIN');
  await client.query(SET_ORGANIZATION, [load.organizationId]);
  for (const [text, values] of load.statements(count)) {
    const { rowCount } = await client.query(text, [...values]);
    if (rowCount === 0) throw new Error(`nothing found or changed: ${text}`);
  }
  await client.query('COMMIT');
}
