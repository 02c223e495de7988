// A supervised program for tests: serves its process ID on PART_PORT and reports its port like our
// programs.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => {
  if (process.env.IGNORE_SIGTERM === undefined) process.exit(0);
});

const server = createServer((_request, response) => {
  response.end(String(process.pid));
});
// Keeps the process alive without listening, like one that is still starting.
if (process.env.PART_NEVER_LISTENS !== undefined) setInterval(() => undefined, 60_000);
else
  server.listen(Number(process.env.PART_PORT), '127.0.0.1', () => {
    process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port });
  });
