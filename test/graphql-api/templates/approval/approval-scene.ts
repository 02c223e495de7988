// An approver, a separate database and the API over a real socket, with a clock that the test sets.

import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll } from 'vitest';
import { type RunningApprover, startApprover } from '../../../../embedded/approver/server.ts';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';
import {
  type Approvers,
  approversOf,
} from '../../../../graphql-api/templates/approval/approvers.ts';
import { pollApprovals } from '../../../../graphql-api/templates/approval/poll-approvals.ts';
import { processApprovalEvents } from '../../../../graphql-api/templates/approval/process-approval-events.ts';
import { submitWaiting } from '../../../../graphql-api/templates/approval/submit-waiting.ts';
import {
  MESSAGING_APP_WEBHOOK_PATH,
  SMS_WEBHOOK_PATH,
} from '../../../../graphql-api/templates/approval/webhook-paths.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';
import { listen } from '../../harness/listen.ts';

export const APP_SECRET = 'what the platform signs with';
export const VERIFY_TOKEN = 'what the platform verifies with';
export const SMS_SECRET = 'what the registrar signs with';
const TOKEN = 'what the approver knows us by';

export type Row = Record<string, unknown>;

export type ApprovalScene = {
  readonly url: string;
  readonly deps: TestDeps;
  readonly ownerUrl: string;
  readonly sql: (text: string, values?: unknown[]) => Promise<Row[]>;
  readonly tenant: () => Promise<Tenant>;
  readonly control: (what: string, given?: Row) => Promise<unknown>;
  readonly submit: (deps?: AppDeps) => Promise<unknown>;
  /** Processes all received events, in as many runs as needed. */
  readonly work: () => Promise<void>;
  readonly poll: (approvers?: Approvers) => ReturnType<typeof pollApprovals>;
};

export function useApprovalScene(): () => ApprovalScene {
  let scene: ApprovalScene | undefined;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const approver = await startApprover({
      port: 0,
      accountId: 'account-1',
      accessToken: TOKEN,
      messagingAppSecret: APP_SECRET,
      smsSecret: SMS_SECRET,
    });
    closing.push(() => approver.stop());
    const urls = await ownDatabase();
    const deps = await createDeps({
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      ...environmentOf(approver),
    });
    closing.push(() => deps.database.close());
    closing.push(() => deps.warehouses.close());
    const server = await listen(deps);
    closing.push(() => new Promise(resolve => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    scene = createScene(deps, approver, url, urls.owner);
    await scene.control('manner', { isAutomatic: false });
    await scene.control('targets', {
      messaging_app: `${url}${MESSAGING_APP_WEBHOOK_PATH}`,
      sms: `${url}${SMS_WEBHOOK_PATH}`,
    });
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });
  return () => {
    if (scene === undefined) throw new Error('the scene is set in beforeAll; use it in tests only');
    return scene;
  };
}

function environmentOf({ platformUrl, registrarUrl }: RunningApprover): Record<string, string> {
  return {
    MESSAGING_APP_API_URL: platformUrl,
    MESSAGING_APP_ACCOUNT_ID: 'account-1',
    MESSAGING_APP_ACCESS_TOKEN: TOKEN,
    MESSAGING_APP_SECRET: APP_SECRET,
    MESSAGING_APP_VERIFY_TOKEN: VERIFY_TOKEN,
    SMS_REGISTRAR_URL: registrarUrl,
    SMS_REGISTRAR_TOKEN: TOKEN,
    SMS_REGISTRAR_SECRET: SMS_SECRET,
    // Small, so that a handful of templates fills several pages.
    APPROVAL_PAGE_SIZE: '2',
  };
}

function createScene(
  deps: TestDeps,
  { controlUrl }: RunningApprover,
  url: string,
  ownerUrl: string,
): ApprovalScene {
  const query: ApprovalScene['sql'] = (text, values = []) => sql(text, values, ownerUrl);
  return {
    url,
    deps,
    ownerUrl,
    sql: query,
    tenant: () => createTenant({ databaseUrl: ownerUrl }),
    async control(what, given = {}) {
      const body = JSON.stringify(given);
      const response = await fetch(`${controlUrl}/${what}`, { method: 'POST', body });
      return response.json();
    },
    submit: (working = deps) => submitWaiting(working),
    async work() {
      const due = `SELECT 1 FROM approval_events WHERE state = 'RECEIVED'`;
      while ((await query(due)).length > 0) await processApprovalEvents(deps);
    },
    poll: (approvers = approversOf(deps)) => pollApprovals(deps, { source: 'POLL', approvers }),
  };
}

/** Submits a version of a new tenant, under a unique name. */
export async function submitted(
  scene: ApprovalScene,
  { channel = 'messaging_app', body = 'Your order {{order}} is on its way.' } = {},
) {
  const tenant = await scene.tenant();
  const { workspaceId } = tenant;
  const [templateId, versionId, submissionId] = [uuidv7(), uuidv7(), uuidv7()];
  const name = `t${templateId.replaceAll('-', '')}`;
  await scene.sql(
    `INSERT INTO templates (id, workspace_id, name, created_by) VALUES ($1, $2, $3, 'user-1')`,
    [templateId, workspaceId, name],
  );
  const variables = [
    { name: 'order', type: 'text', isRequired: true, fallback: null, sample: 'A-1' },
  ];
  await scene.sql(
    `INSERT INTO template_versions (id, template_id, workspace_id, channel, language, number, category,
       body, variables, content_hash, change_source, created_by)
     VALUES ($1, $2, $3, $4, 'en', 1, 'utility', $5, $6, 'hash', 'CREATED', 'user-1')`,
    [versionId, templateId, workspaceId, channel, body, JSON.stringify(variables)],
  );
  const given = { tenant, templateId, versionId, submissionId, name, channel };
  await resubmit(scene, given, submissionId);
  return given;
}

export type Submitted = Awaited<ReturnType<typeof submitted>>;

export async function resubmit(
  { sql: query, deps }: ApprovalScene,
  { tenant, templateId, versionId, channel }: Omit<Submitted, 'submissionId'>,
  submissionId: string,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const due = new Date(now.getTime() + 24 * 3_600_000);
  await query(
    `INSERT INTO template_submissions (id, workspace_id, template_id, version_id, channel,
       submitted_by, submitted_at, sla_due_at) VALUES ($1, $2, $3, $4, $5, 'user-1', $6, $7)`,
    [submissionId, tenant.workspaceId, templateId, versionId, channel, now, due],
  );
  await query(
    `UPDATE template_versions SET state = 'Submitted', submission_id = $1, submitted_at = $2
     WHERE id = $3`,
    [submissionId, now, versionId],
  );
}
