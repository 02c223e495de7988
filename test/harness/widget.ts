// Queues widgets like a journey does, directly in Postgres.

import { v7 as uuidV7 } from 'uuid';
import { sql, type Tenant } from './tenant.ts';

export type WidgetOptions = {
  readonly stepExecutionId?: string;
  readonly userId?: string;
  readonly campaignId?: string;
  readonly enrolmentId?: string | null;
  readonly nodeId?: string;
  readonly name?: string;
  readonly type?: string;
  /** Empty means all surfaces. */
  readonly surfaces?: readonly string[];
  readonly content?: Readonly<Record<string, unknown>>;
  readonly priority?: number;
  readonly variantId?: string | null;
  readonly consentPurpose?: string;
  readonly isCapExempt?: boolean;
  readonly expiresAt?: Date | null;
  readonly queuedAt?: Date;
  /** A database other than the one shared by the run. */
  readonly databaseUrl?: string;
};

export type Widget = {
  readonly stepExecutionId: string;
  readonly campaignId: string;
  readonly userId: string;
};

/** A widget of the tenant's workspace in state QUEUED. */
export async function queueWidget(
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
  options: WidgetOptions = {},
): Promise<Widget> {
  const stepExecutionId = options.stepExecutionId ?? uuidV7();
  const campaignId = options.campaignId ?? uuidV7();
  const userId = options.userId ?? `user-${stepExecutionId}`;
  await sql(
    `INSERT INTO widget_step_executions (id, workspace_id, user_id, enrolment_id, node_id,
       campaign_id, name, type, surfaces, content, priority, variant_id, consent_purpose,
       is_cap_exempt, expires_at, queued_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      stepExecutionId,
      workspaceId,
      userId,
      options.enrolmentId === undefined ? uuidV7() : options.enrolmentId,
      options.nodeId ?? 'node-1',
      campaignId,
      options.name ?? 'Widget',
      options.type ?? 'modal',
      options.surfaces ?? [],
      options.content ?? { title: 'Hello' },
      options.priority ?? 0,
      options.variantId ?? null,
      options.consentPurpose ?? 'marketing',
      options.isCapExempt ?? false,
      options.expiresAt ?? null,
      options.queuedAt ?? new Date(),
    ],
    options.databaseUrl,
  );
  return { stepExecutionId, campaignId, userId };
}

export type WidgetOutcome = {
  readonly state: string;
  readonly acked_step_id: string | null;
  readonly acked_variant_id: string | null;
  readonly served_at: Date | null;
  readonly viewed_at: Date | null;
  readonly clicked_at: Date | null;
  readonly dismissed_at: Date | null;
  readonly signals: readonly {
    readonly outcome: string;
    readonly workspaceId: string;
    readonly enrolmentId: string | null;
    readonly variantId: string | null;
    readonly isConsumed: boolean;
  }[];
  /** The exposures of the widget's person and campaign, sorted. */
  readonly exposures: readonly string[];
};

/** The states and signals of widgets, in the given order. */
export async function widgetOutcomes(widgets: readonly Widget[]): Promise<WidgetOutcome[]> {
  const ids = widgets.map(widget => widget.stepExecutionId);
  const found = await sql(
    `SELECT widget.id, state, acked_step_id, acked_variant_id, served_at, viewed_at, clicked_at,
            dismissed_at,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('outcome', outcome,
                      'workspaceId', workspace_id, 'enrolmentId', enrolment_id,
                      'variantId', variant_id, 'isConsumed', consumed_at IS NOT NULL)), '[]')
             FROM journey_signals WHERE step_execution_id = widget.id) AS signals,
            (SELECT coalesce(array_agg(event_type ORDER BY event_type), '{}')
             FROM exposures
             WHERE exposures.workspace_id = widget.workspace_id
               AND exposures.user_id = widget.user_id
               AND exposures.campaign_id = widget.campaign_id::text) AS exposures
     FROM widget_step_executions AS widget WHERE widget.id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(found.map(({ id, ...rest }) => [id, rest as unknown as WidgetOutcome]));
  return ids.map(id => byId.get(id)!);
}
