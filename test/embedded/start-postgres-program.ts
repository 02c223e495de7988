// A supervisor to be killed: starts Postgres in the directory it is given, and says so.

import { startPostgres } from '../../embedded/postgres.ts';

const { pid, port } = await startPostgres({ dataDir: process.argv[2]!, port: 0 });
process.send?.({ pid, port });
setInterval(() => undefined, 60_000);
