// npm run spool -- list | verify | requeue | drain: inspects, repairs and empties the spool of this
// node.

import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { v7 as uuidV7 } from 'uuid';
import { lockDirectory } from '../spool/directory-lock.ts';
import { nodeFileSystem as fs } from '../spool/file-system.ts';
import { drainSpool } from './drain.ts';
import { listSpool } from './list.ts';
import { drainedText, listText, requeueText, verifyText, waitingText } from './print.ts';
import { requeue } from './requeue.ts';
import { verifySpool } from './verify.ts';

const USAGE = `Usage: npm run -s spool -- list | verify | requeue [NAME …] | drain [--json]

Inspects, repairs and empties the spool in DATA_DIR. Run it on the machine of an ingest node; the node may be
running or stopped.

  list      shows the waiting segments, the positions of the readers for ClickHouse
            and Postgres, and the quarantined files
  verify    reads every file and verifies its checksums; exits with 1 if a file is damaged
  requeue   delivers the intact rows of all quarantined files, or of the named files (names as
            printed by list). A running node delivers them within seconds; a stopped node delivers
            them when it starts. No row is stored twice. Damaged bytes stay in quarantine; exits
            with 1 if there are any.
  drain     empties the spool before the node is removed: the running node answers every event with
            503 and delivers what it has; the command ends when nothing is waiting. It can be
            interrupted and run again. To accept events again, delete the file "drain" in
            DATA_DIR/ingest and restart the node. Exits with 1 if files are left in quarantine.

  --json    prints JSON

Exit codes: 0 on success, 1 as described above, 2 if the command failed.
`;

const FOUND_DAMAGE = 1;
const FAILED = 2;

/** The location of the spool and the command's arguments. */
type Call = {
  readonly ingest: string;
  readonly spool: string;
  readonly names: readonly string[];
  /** Prints the result as JSON or as text. */
  readonly print: <T>(result: T, text: (result: T) => string) => void;
};

/** Each resolves to the exit code. */
const COMMANDS: ReadonlyMap<string, (call: Call) => Promise<number>> = new Map([
  ['list', list],
  ['verify', verify],
  ['requeue', bringBack],
  ['drain', drain],
]);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [name = '', ...names] = positionals;
  const command = COMMANDS.get(name);
  if (command === undefined)
    throw new Error(`${name === '' ? 'No command given' : `Unknown command ${name}`}.\n\n${USAGE}`);
  if (command !== bringBack && names.length > 0)
    throw new Error(`Only requeue accepts names.\n\n${USAGE}`);
  const ingest = join(resolve(process.env.DATA_DIR?.trim() || './.data'), 'ingest');
  const print: Call['print'] = (result, text) =>
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : text(result));
  return command({ ingest, spool: join(ingest, 'spool'), names, print });
}

async function list({ spool, print }: Call): Promise<number> {
  await requireSpool(spool);
  print(await listSpool(fs, spool), listText);
  return 0;
}

async function verify({ spool, print }: Call): Promise<number> {
  await requireSpool(spool);
  const files = await verifySpool(fs, spool);
  print(files, verifyText);
  const isFine = files.every(({ state }) => state === 'whole' || state === 'open');
  return isFine ? 0 : FOUND_DAMAGE;
}

async function bringBack({ ingest, spool, names, print }: Call): Promise<number> {
  await requireOwner(await requireSpool(spool), spool);
  const lock = lockDirectory(join(ingest, 'requeue'));
  if (lock === 'taken') throw new Error('Another requeue is in progress.');
  const files = await requeue({ fs, spool, names, newId: () => uuidV7() });
  lock.release();
  print(files, requeueText);
  const isMissing = (name: string) => files.every(({ file }) => !`/${file}`.endsWith(`/${name}`));
  const missing = names.filter(isMissing);
  if (missing.length > 0) throw new Error(`Not in quarantine: ${missing.join(', ')}`);
  const isAllBack = files.every(file => file.outcome === 'requeued' && file.bytesLeft === 0);
  return isAllBack ? 0 : FOUND_DAMAGE;
}

async function drain({ ingest, spool, print }: Call): Promise<number> {
  await requireOwner(await requireSpool(spool), spool);
  const drained = await drainSpool({
    fs,
    ingest,
    spool,
    sleep,
    onProgress: waiting => process.stderr.write(waitingText(waiting)),
  });
  print(drained, drainedText);
  return drained.quarantined.length === 0 ? 0 : FOUND_DAMAGE;
}

async function requireSpool(spool: string): Promise<{ uid: number }> {
  try {
    return await stat(spool);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`No spool found in ${spool}. Set DATA_DIR to the DATA_DIR of the node.`);
  }
}

/** The node could not read files written by another user. */
async function requireOwner({ uid }: { uid: number }, spool: string): Promise<void> {
  if (process.getuid?.() !== uid)
    throw new Error(
      `Run this command as the user that owns ${spool} and runs ingest (uid ${uid}).`,
    );
}

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`spool: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = FAILED;
  },
);
