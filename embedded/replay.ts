// npm run replay: the command of graphql-api, with the addresses of the service that runs in DATA_DIR
// as defaults.

import { replayCommand } from '../graphql-api/app/replay-command.ts';
import { withAddressesOfRunning } from './running-addresses.ts';

async function main(): Promise<number> {
  const given = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value?.trim()),
  );
  const isWhole = given.INGEST_URL !== undefined && given.INTERNAL_TOKEN !== undefined;
  const env = isWhole ? given : withAddressesOfRunning(given);
  return replayCommand(process.argv.slice(2), env, process);
}

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`replay: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
