// service backup: the command for production, where the databases are not embedded.

import { runBackupCommand } from './command.ts';
import { readPlaces } from './places.ts';

await runBackupCommand(readPlaces);
