import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import type { TemplateChannel } from '../content.ts';
import type { TemplateState, UpstreamHealth } from '../transitions.ts';
import type { TemplateSubmission } from './submission.entity.ts';
import type { KnownHealth } from './upstream-words.ts';

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
export type KnownSubmission = {
  readonly id: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly templateId: string;
  readonly versionId: string;
  readonly channel: TemplateChannel;
  readonly state: TemplateSubmission['state'];
  readonly upstreamName: string | null;
  readonly upstreamId: string | null;
  readonly templateName: string;
  readonly language: string;
  readonly number: number;
  readonly versionState: TemplateState;
  readonly versionHealth: UpstreamHealth;
  readonly versionHealthUntil: Date | string | null;
  /** Whether it is the version's latest submission. Only the verdict on the latest counts. */
  readonly isCurrent: boolean;
  readonly upstreamStatus: string | null;
};

const SELECT = `SELECT s.id, s.workspace_id AS "workspaceId", w.organization_id AS "organizationId",
    s.template_id AS "templateId", s.version_id AS "versionId", s.channel, s.state,
    s.upstream_name AS "upstreamName", s.upstream_id AS "upstreamId", t.name AS "templateName",
    v.language, v.number, v.state AS "versionState", v.upstream_health AS "versionHealth",
    v.health_until AS "versionHealthUntil",
    v.submission_id = s.id AS "isCurrent", a.upstream_status AS "upstreamStatus"
  FROM template_submissions s
  JOIN template_versions v ON v.id = s.version_id
  JOIN templates t ON t.id = s.template_id
  JOIN workspaces w ON w.id = s.workspace_id
  LEFT JOIN approval_sendings a ON a.submission_id = s.id`;

export async function submissionById(
  em: EntityManager,
  id: string,
): Promise<KnownSubmission | undefined> {
  const [found] = await em.execute<KnownSubmission[]>(`${SELECT} WHERE s.id = ?`, [id]);
  return found;
}

/** The stored health of the version, whatever the state of the submission. */
export function healthOf({
  versionHealth,
  versionHealthUntil: until,
}: KnownSubmission): KnownHealth {
  return { health: versionHealth, until: until === null ? null : new Date(until) };
}

/** Finds submissions by our names for them, optionally of one workspace only. */
export async function submissionsByNames(
  em: EntityManager,
  channel: TemplateChannel,
  names: readonly string[],
  workspaceId?: string,
): Promise<readonly KnownSubmission[]> {
  const ofWorkspace = workspaceId === undefined ? '' : ' AND s.workspace_id = ?';
  return em.execute<KnownSubmission[]>(
    `${SELECT} WHERE s.channel = ? AND s.upstream_name IN
       (SELECT jsonb_array_elements_text(?::jsonb))${ofWorkspace}`,
    [channel, JSON.stringify(names), ...(workspaceId === undefined ? [] : [workspaceId])],
  );
}
