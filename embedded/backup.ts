// npm run backup: like the command in production but, without DATABASE_URL and CLICKHOUSE_URL, for the
// embedded databases of DATA_DIR.

import { runBackupCommand } from '../backup/command.ts';
import { dataDirOf, ingestFolder, readPlaces } from '../backup/places.ts';
import { clickhouseUrls } from '../schema/environment/clickhouse-urls.ts';
import { openEngines } from './open-engines.ts';

await runBackupCommand(async env => {
  if (env.DATABASE_URL?.trim() || Object.keys(clickhouseUrls(env)).length > 0)
    return readPlaces(env);
  const dataDir = dataDirOf(env);
  const engines = await openEngines(dataDir);
  return {
    databaseUrl: engines.databaseUrl,
    cells: [{ slug: 'default', url: engines.clickhouseUrl, backups: engines.backups }],
    cluster: undefined,
    ingest: ingestFolder(dataDir),
    close: () => engines.close(),
  };
});
