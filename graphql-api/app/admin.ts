// The admin command of a release. `npm run admin` also finds the address of a running `npm start`.

import { adminCommand } from './admin-command.ts';

const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
process.exitCode = await adminCommand(process.argv.slice(2), given, process);
