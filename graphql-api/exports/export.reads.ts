import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { type JobState, unfinishedStatesByIds } from '../platform/jobs/job-states.ts';
import { countEventExport } from './count-export.job.ts';
import { EventExport } from './export.entity.ts';

export type ShownExport = EventExport & { readonly state: JobState };

const exports = workspaceReads(EventExport);

/** Expired exports are left out, although a job deletes them only within the hour. */
export async function eventExportsPage(
  context: Context,
  page: PageRequest,
): Promise<Page<ShownExport>> {
  const now = new Date(context.deps.clock.nowMs());
  const { items, hasNextPage } = await exports.page(context, page, { expiresAt: { $gt: now } });
  return { items: await withStates(context, items), hasNextPage };
}

export async function eventExportsByIds(
  context: Context,
  ids: readonly string[],
): Promise<ShownExport[]> {
  const nowMs = context.deps.clock.nowMs();
  const found = await exports.byIds(context, ids);
  return withStates(
    context,
    found.filter(({ expiresAt }) => expiresAt.getTime() > nowMs),
  );
}

async function withStates(context: Context, found: readonly EventExport[]): Promise<ShownExport[]> {
  const unfinished = found.filter(one => one.finishedAt == null).map(({ id }) => id);
  const states =
    unfinished.length === 0
      ? []
      : await unfinishedStatesByIds(context, countEventExport, unfinished);
  const stateOf = ({ id, fault, finishedAt }: EventExport): JobState => {
    if (finishedAt != null) return fault == null ? 'COMPLETED' : 'FAILED';
    return states.find(one => one.id === id)?.state ?? 'WAITING';
  };
  return found.map(one => Object.assign(one, { state: stateOf(one) }));
}
