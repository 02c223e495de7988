// Yoga without our code around it: no token, guards, log, loaders or database. The same documents
// run on the same types, and every root field returns a fixed value. A separate process, started by
// the benchmark.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSchema, createYoga } from 'graphql-yoga';

/** Sent by the benchmark: the values of root fields, by type and name. */
export type BareAnswers = Readonly<Record<'Query' | 'Mutation', Record<string, unknown>>>;

/** Sent to the benchmark: first the port, then the CPU time after each further message. */
export type BareReport = { readonly port: number } | { readonly cpuSeconds: number };

const TYPES = join(import.meta.dirname, '..', 'graphql-api', 'schema.graphql');

function serve(answers: BareAnswers): void {
  const resolvers = Object.fromEntries(
    Object.entries(answers).map(([type, fields]) => [
      type,
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, () => value])),
    ]),
  );
  const schema = createSchema({ typeDefs: readFileSync(TYPES, 'utf8'), resolvers });
  const yoga = createYoga({ schema, logging: false });
  const server = createServer((request, response) => void yoga(request, response));
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies BareReport);
  });
}

process.once('message', message => {
  serve(message as BareAnswers);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuSeconds: (user + system) / 1e6 } satisfies BareReport);
  });
});
process.on('disconnect', () => process.exit(0));
