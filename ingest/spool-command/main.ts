// npm run spool -- list | verify | requeue: what waits on this node's disk, and what was set aside.

import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { v7 as uuidV7 } from 'uuid';
import { lockDirectory } from '../spool/directory-lock.ts';
import { nodeFileSystem as fs } from '../spool/file-system.ts';
import { listSpool } from './list.ts';
import { listText, requeueText, verifyText } from './print.ts';
import { requeue } from './requeue.ts';
import { verifySpool } from './verify.ts';

const USAGE = `Usage: npm run -s spool -- list | verify | requeue [NAME …] [--json]

Works on the spool in DATA_DIR, on the machine of one node of ingest, while the node runs or is stopped.

  list      what waits, how far its two readers are, and what is in quarantine
  verify    reads every file, and says what is whole; 1 if something is damaged
  requeue   brings back what is whole of the files in quarantine, or of those that are named as
            list names them. A running node sends it within seconds, a stopped one when it starts.
            Nothing is stored twice. What is damaged stays in quarantine; 1 if something does.

  --json    for programs

Exits with 0; with 1 as above; with 2 when the command could not do its work.
`;

const FOUND_DAMAGE = 1;
const FAILED = 2;

/** Where the command works, and what it was given. */
type Call = {
  readonly ingest: string;
  readonly spool: string;
  readonly names: readonly string[];
  /** The result, for programs or for people. */
  readonly print: <T>(result: T, text: (result: T) => string) => void;
};

/** Each resolves to the code to exit with. */
const COMMANDS: ReadonlyMap<string, (call: Call) => Promise<number>> = new Map([
  ['list', list],
  ['verify', verify],
  ['requeue', bringBack],
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
    throw new Error(`${name === '' ? 'A command is needed' : `There is no ${name}`}.\n\n${USAGE}`);
  if (command !== bringBack && names.length > 0)
    throw new Error(`Only requeue takes names.\n\n${USAGE}`);
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
  if (lock === 'taken') throw new Error('Another requeue is under way.');
  const files = await requeue({ fs, spool, names, newId: () => uuidV7() });
  lock.release();
  print(files, requeueText);
  const isMissing = (name: string) => files.every(({ file }) => !`/${file}`.endsWith(`/${name}`));
  const missing = names.filter(isMissing);
  if (missing.length > 0) throw new Error(`Not in quarantine: ${missing.join(', ')}`);
  const isAllBack = files.every(file => file.outcome === 'requeued' && file.bytesLeft === 0);
  return isAllBack ? 0 : FOUND_DAMAGE;
}

async function requireSpool(spool: string): Promise<{ uid: number }> {
  try {
    return await stat(spool);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`There is no spool in ${spool}. Set DATA_DIR to that of the node.`);
  }
}

/** What another user writes, the node could not read. */
async function requireOwner({ uid }: { uid: number }, spool: string): Promise<void> {
  if (process.getuid?.() !== uid)
    throw new Error(`Run this as the user that ingest runs as, who owns ${spool} (uid ${uid}).`);
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
