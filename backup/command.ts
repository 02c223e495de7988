// create | verify | restore: one consistent backup of Postgres, of the ClickHouse of each cell, and
// of the spool of this node.

import { parseArgs } from 'node:util';
import { createBackup } from './create.ts';
import { PARTS, type Part } from './parts.ts';
import type { Places } from './places.ts';
import { restoreBackup } from './restore.ts';
import { createAt, readFrom } from './s3.ts';
import { verifyBackup } from './verify.ts';

const USAGE = `Usage: npm run -s backup -- create --to PLACE | verify --from PLACE | restore --from PLACE [--json]

Backs up and restores Postgres, the ClickHouse of each cell and the spool of an ingest node. The
service keeps running during a backup.

  create     writes a backup to PLACE, which must be empty or must not exist yet
  verify     reads all files of a backup and compares them with its manifest; exits with 1 if a
             file is damaged or missing
  restore    verifies a backup, then loads it into empty databases and a DATA_DIR without a spool.
             Use the release that created the backup, then upgrade.

  PLACE         a folder, or s3://BUCKET/PREFIX, which also needs space for the backup in TMPDIR
  --only PART   postgres, clickhouse or spool; may be repeated. With several ingest nodes, run
                create on one of them, and directly afterward create --only spool on each of the
                others
  --json        prints the result as JSON

Each part needs only its own variables:

  DATABASE_URL            Postgres, as the owner of the tables
  CLICKHOUSE_URL          ClickHouse of the cell "default"; CLICKHOUSE_URL_<SLUG> for another cell
  CLICKHOUSE_BACKUPS      the path on this machine to the folder that is set as
                          backups.allowed_path on that ClickHouse server;
                          CLICKHOUSE_BACKUPS_<SLUG> for another cell
  AWS_…                   region, credentials and endpoint of S3, as for other programs that use an AWS SDK:
                          AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3
  DATA_DIR                contains the spool and, without DATABASE_URL, the embedded databases

A backup does not contain ENCRYPTION_KEYS (secrets.json of an embedded DATA_DIR). Keep them in a
secret store: without them, sealed columns of a restored database cannot be read.

Exit codes: 0 on success, 1 if verify found damage, 2 if the command failed.
`;

const FOUND_DAMAGE = 1;
const FAILED = 2;

type ReadPlaces = (env: NodeJS.ProcessEnv) => Promise<Places>;

/** Runs the command in the arguments of this process, and sets its exit code. */
export async function runBackupCommand(readPlaces: ReadPlaces): Promise<void> {
  try {
    process.exitCode = await run(readPlaces);
  } catch (error) {
    process.stderr.write(`backup: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = FAILED;
  }
}

async function run(readPlaces: ReadPlaces): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new Error(`Unexpected argument ${rest[0]}.\n\n${USAGE}`);
  const parts = partsOf(values.only);
  const print = (result: object, text: string) =>
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${text}\n`);
  const placeOf = (option: 'to' | 'from') =>
    values[option] ?? fail(`${command} requires --${option} PLACE.\n\n${USAGE}`);

  if (command === 'create') {
    // The data of all organizations, for this user only.
    process.umask(0o077);
    const to = placeOf('to');
    const create = (directory: string) =>
      withPlaces(readPlaces, places => createBackup({ places, directory, parts, log: progress }));
    const manifest = await createAt(to, create, progress);
    print(manifest, `The backup is complete: ${manifest.files.length} files in ${to}.`);
    return 0;
  }
  if (command === 'verify') {
    const result = await readFrom(placeOf('from'), verifyBackup, progress);
    const damage = result.damages.map(({ file, reason }) => `${file}: ${reason}`).join('\n');
    print(result, damage || `All ${result.files} files of the backup are intact.`);
    return result.damages.length > 0 ? FOUND_DAMAGE : 0;
  }
  if (command === 'restore') {
    const restore = (directory: string) =>
      withPlaces(readPlaces, places => restoreBackup({ places, directory, parts, log: progress }));
    const restored = await readFrom(placeOf('from'), restore, progress);
    print(
      restored,
      'The backup is restored. Start ingest. It will deliver the rows in the spool that are not in the databases yet.',
    );
    return 0;
  }
  const problem = command === undefined ? 'No command given' : `Unknown command ${command}`;
  throw new Error(`${problem}.\n\n${USAGE}`);
}

function partsOf(only: readonly string[] | undefined): ReadonlySet<Part> {
  if (only === undefined) return new Set(PARTS);
  const unknown = only.find(name => !PARTS.some(part => part === name));
  if (unknown !== undefined)
    throw new Error(`--only must be one of ${PARTS.join(', ')}; ${unknown} is not valid.`);
  return new Set(PARTS.filter(part => only.includes(part)));
}

async function withPlaces<Result>(
  readPlaces: ReadPlaces,
  use: (places: Places) => Promise<Result>,
): Promise<Result> {
  const places = await readPlaces(process.env);
  try {
    return await use(places);
  } finally {
    await places.close();
  }
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function fail(message: string): never {
  throw new Error(message);
}
