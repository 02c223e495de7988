import { randomBytes } from 'node:crypto';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { inject, onTestFinished } from 'vitest';
import { type Answer, type Request, send } from '../../../test/harness/http.ts';

export type Database = {
  readonly name: string;
  /** The official client, configured only with the server's address and the database. */
  readonly client: ClickHouseClient;
  /** Sends one request; `parameters` are added to the URL next to the database. */
  readonly post: (
    body: string | Uint8Array,
    parameters?: Record<string, string>,
  ) => Promise<Answer>;
  readonly ask: (parameters: Record<string, string>, request?: Request) => Promise<Answer>;
  readonly address: (parameters: Record<string, string>) => string;
  readonly rows: (query: string) => Promise<unknown[]>;
};

/** A database for one test, in the ClickHouse of the test run or in another one. */
export async function freshDatabase(url: string = inject('clickhouseUrl')): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Tests cause errors on purpose.
  const log = { level: ClickHouseLogLevel.OFF };
  const client = createClient({ url, database: name, log });
  onTestFinished(() => client.close());
  const address = (parameters: Record<string, string>) =>
    `${url}/?${new URLSearchParams({ database: name, ...parameters }).toString()}`;
  const created = await send(`${url}/`, { body: `CREATE DATABASE ${name}` });
  if (created.status !== 200) throw new Error(created.text);
  return {
    name,
    client,
    address,
    post: (body, parameters = {}) => send(address(parameters), { body }),
    ask: (parameters, request = {}) => send(address(parameters), request),
    rows: async query => {
      const result = await client.query({ query, format: 'JSONEachRow' });
      return result.json();
    },
  };
}
