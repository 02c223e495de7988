// A part to be supervised: serves its pid on PART_PORT and tells its port as our programs do.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => {
  if (process.env.IGNORE_SIGTERM === undefined) process.exit(0);
});

const server = createServer((_request, response) => {
  response.end(String(process.pid));
});
// One that is still starting is alive all the same.
if (process.env.PART_NEVER_LISTENS !== undefined) setInterval(() => undefined, 60_000);
else
  server.listen(Number(process.env.PART_PORT), '127.0.0.1', () => {
    process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port });
  });
