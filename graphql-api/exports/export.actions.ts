import { DAY_MS } from '../../schema/values/durations.ts';
import { countOf } from '../platform/database/count-of.ts';
import { kysely } from '../platform/database/kysely.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { requireRange, SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { countEventExport } from './count-export.job.ts';
import { daysOf } from './days-of.ts';
import type { EventExportId, EventExportRequest } from './export.contract.ts';
import { EventExport } from './export.entity.ts';

type Id = { readonly id: string };

/** Enough to export a year by quarters in both formats. Expired exports do not count. */
export const EXPORTS_MAX = 10;
/** Long enough to download over a weekend, short enough that late events change few chunks. */
export const EXPORT_DAYS_KEPT = 7;

/** Requests an export of the viewer's workspace. A job with the same ID divides it into chunks. */
export async function eventExportRequest(
  scope: ActionScope,
  { range, names, format }: EventExportRequest,
): Promise<Id> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  const { fromMs, toMs } = requireRange(range, SERIES_DAYS_MAX);
  const nowMs = deps.clock.nowMs();
  const now = new Date(nowMs);
  await oneAtATime(scope, `exports of ${workspaceId}`);
  const kept = await countOf(em, EventExport, { workspaceId, expiresAt: { $gt: now } });
  if (kept >= EXPORTS_MAX) reject('TOO_MANY_EXPORTS');
  const id = deps.newId();
  await em.insert(EventExport, {
    id,
    workspaceId,
    format,
    names: names ?? [],
    fromAt: range.from,
    toAt: range.to,
    receivedBefore: now,
    dayCount: daysOf({ fromMs, toMs }).length,
    createdBy: viewer.userId,
    createdAt: now,
    expiresAt: new Date(nowMs + EXPORT_DAYS_KEPT * DAY_MS),
  });
  await requestJob(scope, countEventExport, { exportId: id }, id);
  await audit({
    action: 'event_export.request',
    subjectId: id,
    after: {
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      names: names ?? null,
      format,
    },
  });
  return { id };
}

/** Deletes an export before it expires. */
export async function eventExportDelete(
  { em, viewer, audit }: ActionScope,
  { id }: EventExportId,
): Promise<Id> {
  const deleted = await kysely(em)
    .deleteFrom('event_exports')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceOf(viewer))
    .returning(['format', 'eventCount'])
    .executeTakeFirst();
  if (deleted === undefined) return notFound('export', 'id');
  const change = { action: 'event_export.delete', subjectId: id };
  await audit({ ...change, before: { format: deleted.format, events: deleted.eventCount } });
  return { id };
}
