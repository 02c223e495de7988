import { setTimeout as wait } from 'node:timers/promises';
import { readSchemaRelease, schemaProblem } from '../../../schema/environment/schema-release.ts';
import type { AppDeps } from '../context.ts';

const ASK_AGAIN_MS = 1_000;

/**
 * Throws if this release does not work on the schema. A process also starts without Postgres; the check
 * is then repeated until Postgres responds.
 */
export async function startSchemaCheck(
  { database, build, log }: Pick<AppDeps, 'database' | 'build' | 'log'>,
  onLateProblem: (problem: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  let isWarned = false;
  /** Null while Postgres does not respond. */
  const check = async (): Promise<string | null | undefined> => {
    try {
      const schema = await database.asSystem(em =>
        readSchemaRelease(sql =>
          em.getConnection().execute(sql, [], 'all', em.getTransactionContext()),
        ),
      );
      return schemaProblem(build.version, schema);
    } catch (error) {
      if (!isWarned)
        log.warn(
          { reason: (error as Error).message },
          'could not read the schema release, retrying',
        );
      isWarned = true;
      return null;
    }
  };
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await wait(ASK_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const problem = await check();
      if (problem === null) continue;
      if (problem !== undefined) onLateProblem(problem);
      return;
    }
  };
  const problem = await check();
  if (typeof problem === 'string') throw new Error(problem);
  const repeating = problem === null ? repeat() : Promise.resolve();
  return {
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}
