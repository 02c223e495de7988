// npm run replay: for operators, from a terminal or a script. Shows the expected result, asks for
// confirmation, then replays the events.

import { createInterface } from 'node:readline/promises';
import { v7 as newId } from 'uuid';
import {
  type Replay,
  type ReplayReport,
  replayRejected,
} from '../events/replay/replay-rejected.ts';
import { recordChange } from '../platform/audit.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { kysely } from '../platform/database/kysely.ts';
import { createWarehouses } from '../platform/warehouse/clickhouse.ts';
import { createIngestClient } from '../platform/warehouse/ingest-client.ts';
import { createCells } from '../tenancy/warehouse-cells.ts';
import { ALL_ENTITIES } from './all-entities.ts';
import { type ReplayArguments, readArguments, USAGE } from './replay-arguments.ts';
import { readReplayConfig } from './replay-config.ts';

type Terminal = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A dry run stores nothing, so its rate is high. */
const DRY_RUN_EVENTS_PER_SECOND = 20_000;
const POOL_MAX = 2;

/** Resolves to the exit code. Throws errors that the operator must fix. */
export async function replayCommand(
  argv: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<number> {
  const given = readArguments(argv, Date.now());
  if (given === undefined) {
    terminal.stdout.write(USAGE);
    return 0;
  }
  const config = readReplayConfig(env);
  const log = { warn: () => undefined, error: () => undefined };
  const database = await openDatabase({
    urls: config.databaseUrls,
    poolMax: POOL_MAX,
    entities: ALL_ENTITIES,
    log,
  });
  const warehouses = createWarehouses({
    urls: config.clickhouseUrls,
    cells: createCells(database, { nowMs: () => performance.now() }),
    log,
  });
  try {
    const organizationId = await organizationOf(database, given.workspaceId);
    const ingest = createIngestClient(config.ingest);
    const run = (isDryRun: boolean) => {
      const replay = replayOf(given, organizationId, isDryRun);
      const onProgress = showProgress(terminal.stderr, isDryRun ? 'Trying' : 'Replaying');
      return replayRejected({ warehouses, ingest, onProgress }, replay).finally(onProgress.end);
    };
    return await runBoth(given, run, terminal, report =>
      audit(database, { given, organizationId, report }),
    );
  } finally {
    await warehouses.close();
    await database.close();
  }
}

async function runBoth(
  { isDryRun, isConfirmed }: ReplayArguments,
  run: (isDryRun: boolean) => Promise<ReplayReport>,
  terminal: Terminal,
  done: (report: ReplayReport) => Promise<void>,
): Promise<number> {
  const { stdout, stderr } = terminal;
  const tried = await run(true);
  stdout.write(described(tried, 'would be accepted'));
  if (isDryRun || tried.accepted === 0) return 0;
  if (!isConfirmed && !(await confirmed(terminal, tried.accepted))) {
    stderr.write('Nothing was replayed. Use --yes to skip the confirmation.\n');
    return 1;
  }
  const replayed = await run(false);
  await done(replayed);
  stdout.write(described(replayed, 'accepted'));
  return 0;
}

function replayOf(given: ReplayArguments, organizationId: string, isDryRun: boolean): Replay {
  const { isConfirmed: _asked, ...replay } = given;
  const eventsPerSecond = isDryRun ? DRY_RUN_EVENTS_PER_SECOND : given.eventsPerSecond;
  return { ...replay, organizationId, isDryRun, eventsPerSecond };
}

function described(report: ReplayReport, accepted: string): string {
  const { found, uncorrectable, refused, samples } = report;
  const lines = [`${found} events found: ${report.accepted} ${accepted}`];
  for (const [code, count] of Object.entries(refused)) lines.push(`  ${count} rejected: ${code}`);
  if (uncorrectable > 0) lines.push(`  ${uncorrectable} cannot be corrected with these options`);
  for (const { messageId, code, message } of samples)
    lines.push(`    e.g. ${JSON.stringify(messageId)}: ${code}: ${message}`);
  return `${lines.join('\n')}\n`;
}

async function confirmed({ stdin, stderr }: Terminal, events: number): Promise<boolean> {
  if (!stdin.isTTY) return false;
  const question = createInterface({ input: stdin, output: stderr });
  const answer = await question.question(`Replay ${events} events? [y/N] `);
  question.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function organizationOf(database: Database, workspaceId: string): Promise<string> {
  const row = await database.asSystem(em =>
    kysely(em)
      .selectFrom('workspaces')
      .select('organizationId')
      .where('id', '=', workspaceId)
      .executeTakeFirst(),
  );
  if (row === undefined) throw new Error(`No workspace exists with the ID ${workspaceId}.`);
  return row.organizationId;
}

type Replayed = {
  readonly given: ReplayArguments;
  readonly organizationId: string;
  readonly report: ReplayReport;
};

async function audit(
  database: Database,
  { given, organizationId, report }: Replayed,
): Promise<void> {
  const { workspaceId, codes, correction } = given;
  const { samples: _shown, ...counts } = report;
  const viewer = { userId: 'npm run replay', organizationId, workspaceId, roles: new Set<never>() };
  const deps = { newId: () => newId(), clock: { nowMs: () => Date.now() } };
  await database.asSystem(em =>
    recordChange(
      { em, viewer, deps, requestId: `replay-${newId()}` },
      {
        action: 'rejected_events.replayed',
        subjectType: 'workspace',
        subjectId: workspaceId,
        after: { codes, correction, ...counts },
      },
    ),
  );
}

type Progress = {
  (report: ReplayReport): void;
  /** Ends the line of the progress bar. */
  end(this: void): void;
};

const BAR_CHARACTERS = 30;
const REDRAW_MS = 100;

/** Shows a progress bar on a terminal, and nothing elsewhere. */
function showProgress(stream: NodeJS.WriteStream, verb: string): Progress {
  const startedAtMs = performance.now();
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let line = '';
  const draw = () => {
    stream.write(`\r\u001b[K${line}`);
    drawnAtMs = performance.now();
  };
  const show = (report: ReplayReport) => {
    if (!stream.isTTY) return;
    line = lineOf(report, verb, (performance.now() - startedAtMs) / 1000);
    if (performance.now() - drawnAtMs >= REDRAW_MS) draw();
  };
  const end = () => {
    if (line === '') return;
    draw();
    stream.write('\n');
  };
  return Object.assign(show, { end });
}

function lineOf(report: ReplayReport, verb: string, seconds: number): string {
  const { found, accepted, uncorrectable, refused } = report;
  const notAccepted = uncorrectable + Object.values(refused).reduce((sum, count) => sum + count, 0);
  const done = accepted + notAccepted;
  const share = found === 0 ? 1 : Math.min(done / found, 1);
  const filled = Math.round(share * BAR_CHARACTERS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${verb} ${bar} ${percent} %  ${done} of ${found}  ${accepted} accepted  ${notAccepted} not accepted  ${rate}/s`;
}
