// Widgets as a journey queues them, put into Postgres directly.

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
  /** Empty is everywhere. */
  readonly surfaces?: readonly string[];
  readonly content?: Readonly<Record<string, unknown>>;
  readonly priority?: number;
  readonly variantId?: string | null;
  readonly consentPurpose?: string;
  readonly isCapExempt?: boolean;
  readonly expiresAt?: Date | null;
  readonly queuedAt?: Date;
  /** Another database than the run's own. */
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
