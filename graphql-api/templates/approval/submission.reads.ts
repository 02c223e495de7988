import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { kysely, sql } from '../../platform/database/kysely.ts';
import type { TemplateChannel } from '../content.ts';

/**
 * The scope of a job or the inbox: reads all tenants and writes only to the submission's tenant.
 */
export type ApprovalScope = {
  readonly em: EntityManager;
  readonly deps: Pick<AppDeps, 'clock' | 'newId' | 'pinning'>;
  /** The ID of a user's request. Jobs and the inbox have none. */
  readonly requestId?: string;
};

/** A submission with the fields that decide what a report about it means. */
export type Submission = Awaited<ReturnType<typeof submissionsByNames>>[number];

export async function submissionById(
  em: EntityManager,
  id: string,
): Promise<Submission | undefined> {
  return selectSubmissions(em).where('s.id', '=', id).executeTakeFirst();
}

/** Finds submissions by our names for them, optionally of one workspace only. */
export async function submissionsByNames(
  em: EntityManager,
  channel: TemplateChannel,
  names: readonly string[],
  workspaceId?: string,
) {
  const found = selectSubmissions(em)
    .where('s.channel', '=', channel)
    .where(sql<boolean>`s.upstream_name = ANY(${names})`);
  const ofWorkspace =
    workspaceId === undefined ? found : found.where('s.workspaceId', '=', workspaceId);
  return ofWorkspace.execute();
}

function selectSubmissions(em: EntityManager) {
  return (
    kysely(em)
      .selectFrom('template_submissions as s')
      .innerJoin('template_versions as v', 'v.id', 's.versionId')
      .innerJoin('templates as t', 't.id', 's.templateId')
      .innerJoin('workspaces as w', 'w.id', 's.workspaceId')
      .leftJoin('approval_sendings as a', 'a.submissionId', 's.id')
      .select(['s.id', 's.workspaceId', 'w.organizationId', 's.templateId', 's.versionId'])
      .select(['s.channel', 's.state', 's.upstreamName', 's.upstreamId', 'a.upstreamStatus'])
      .select(['t.name as templateName', 'v.language', 'v.number', 'v.state as versionState'])
      .select(['v.upstreamHealth as versionHealth', 'v.healthUntil as versionHealthUntil'])
      // Whether it is the version's latest submission. Only the verdict on the latest counts.
      .select(sql<boolean>`v.submission_id = s.id`.as('isCurrent'))
  );
}
