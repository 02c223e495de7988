import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { applyAnalystLoginsOf } from './analyst-login.apply.ts';

/**
 * Makes the logins of every cell's ClickHouse equal to those in Postgres: after each change, and each minute for
 * changes that failed or were lost. A failure does not fail the run, because the next run retries it.
 */
export const applyAnalystLogins = defineJob({
  name: 'apply-analyst-logins',
  schedule: '* * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { deps } = context;
    const failed: string[] = [];
    for (const [cell, url] of Object.entries(deps.config.clickhouseUrls)) {
      signal.throwIfAborted();
      try {
        await applyAnalystLoginsOf(deps, { cell, url });
      } catch (error) {
        failed.push(cell);
        const reason = error instanceof Error ? error.message : String(error);
        deps.log.warn({ cell, reason }, 'could not update the analyst logins in a cell, retrying');
      }
    }
    context.note({ failedCells: failed.join(' ') });
  },
});
