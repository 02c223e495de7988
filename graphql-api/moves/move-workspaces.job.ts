import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { advanceMove, type Pace } from './advance-move.ts';
import { type Move, openMoves } from './open-moves.ts';
import { writeMove } from './record-move.ts';

/** A pass over a billion events takes hours. A run that reaches the timeout is continued by the next one. */
const TIMEOUT_SECONDS = 6 * 60 * 60;
/** The time in which ingest delivers most rows. */
const SOON_MS = 1_000;
/** An error of ClickHouse may repeat the statement with its parameters. */
const REASON_CHARACTERS_MAX = 300;

/**
 * Advances every move, one after the other: when an operator starts or changes one, and each minute. A move that cannot
 * get further keeps its state and the reason, and is tried again by the next run.
 */
export const moveWorkspaces = defineJob({
  name: 'move-workspaces',
  schedule: '* * * * *',
  data: scheduledData,
  timeoutSeconds: TIMEOUT_SECONDS,
  async run(context, _data, signal) {
    let steps = 0;
    for (;;) {
      const paces: Pace[] = [];
      for (const move of await openMoves(context)) {
        signal.throwIfAborted();
        paces.push(await attempt(context, move, signal));
      }
      steps += paces.length;
      context.note({ steps });
      if (!paces.some(pace => pace !== 'later')) return;
      if (!paces.includes('now')) await wait(SOON_MS, undefined, { signal });
    }
  },
});

async function attempt(context: Context, move: Move, signal: AbortSignal): Promise<Pace> {
  const { clickhouseUrls, clickhouseCluster } = context.deps.config;
  const unknown = [move.fromSlug, move.toSlug].find(slug => clickhouseUrls[slug] === undefined);
  try {
    // A copy would have to reach the shard of each row.
    if (clickhouseCluster !== undefined)
      throw new Error('a workspace cannot be moved while CLICKHOUSE_CLUSTER is set');
    if (unknown !== undefined)
      throw new Error(`the API has no CLICKHOUSE_URL for the cell ${unknown}`);
    return await advanceMove(context, move, signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    context.deps.log.warn(
      { moveId: move.id, state: move.state, reason },
      'a workspace move cannot continue, retrying',
    );
    await writeMove(context, move, { waitsFor: reason.slice(0, REASON_CHARACTERS_MAX) });
    return 'later';
  }
}
