// A supervisor for tests to kill: starts Postgres in the given directory and reports it.

import { startPostgres } from '../../embedded/postgres.ts';

const { pid, port } = await startPostgres({ dataDir: process.argv[2]!, port: 0 });
process.send?.({ pid, port });
setInterval(() => undefined, 60_000);
