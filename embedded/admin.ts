// npm run admin: the command of graphql-api, with the address of the service that runs in DATA_DIR as default.

import { adminCommand } from '../graphql-api/app/admin-command.ts';
import { withAddressesOfRunning } from './running-addresses.ts';

const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
const usesOwn = given.DATABASE_URL !== undefined || given.DATABASE_SYSTEM_URL !== undefined;
process.exitCode = await adminCommand(
  process.argv.slice(2),
  usesOwn ? given : withAddressesOfRunning(given),
  process,
);
