// What tests of approvals do and read: the states of a version, its events, and signed webhooks.

import { expect } from 'vitest';
import type { Role } from '../../../../graphql-api/platform/viewer.ts';
import {
  MESSAGING_APP_WEBHOOK_PATH,
  SMS_WEBHOOK_PATH,
} from '../../../../graphql-api/templates/approval/webhook-paths.ts';
import { eventually } from '../../../harness/eventually.ts';
import { tokenFor } from '../../harness/tokens.ts';
import { type ApprovalScene, type Row, type Submitted, submitted } from './approval-scene.ts';

export function approvalSteps(scene: () => ApprovalScene) {
  async function versionOf({ versionId }: Submitted): Promise<Row> {
    const [row] = await scene().sql('SELECT * FROM template_versions WHERE id = $1', [versionId]);
    return row!;
  }

  async function eventsOf({ versionId }: Submitted): Promise<(string | null)[]> {
    const rows = await scene().sql(
      'SELECT word, state, why FROM approval_events WHERE version_id = $1 ORDER BY created_at, id',
      [versionId],
    );
    return rows.map(
      ({ word, state, why }) => `${word as string} ${state as string} ${why as string}`,
    );
  }

  async function upstreamOf({ name }: Submitted): Promise<Row[]> {
    const all = (await scene().control('templates')) as Row[];
    return all.filter(template => (template.name as string).startsWith(name));
  }

  /** Waits until the approver's webhook events have arrived and are processed. */
  async function arrived(given: Submitted, count: number): Promise<void> {
    await eventually(async () => {
      await scene().work();
      expect(await eventsOf(given)).toHaveLength(count);
    });
  }

  async function approved(): Promise<Submitted> {
    const given = await submitted(scene());
    await scene().submit();
    await scene().control('decide', { name: given.name });
    await arrived(given, 1);
    return given;
  }

  async function at(ms: number, work: () => Promise<unknown>): Promise<void> {
    const { clock } = scene().deps;
    clock.setMs(ms);
    try {
      await work();
    } finally {
      clock.setMs(undefined);
    }
  }

  async function graphql(given: Submitted, role: Role, query: string): Promise<Row> {
    const token = await tokenFor(given.tenant.organizationId, { roles: [role] });
    const response = await fetch(`${scene().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data: Row };
    return data;
  }

  async function post(body: string, signature: string | undefined): Promise<Response> {
    return fetch(`${scene().url}${MESSAGING_APP_WEBHOOK_PATH}`, {
      method: 'POST',
      headers: { ...(signature !== undefined && { 'x-hub-signature-256': signature }) },
      body,
    });
  }

  async function postSms(body: string, signature: string | undefined): Promise<number> {
    const response = await fetch(`${scene().url}${SMS_WEBHOOK_PATH}`, {
      method: 'POST',
      headers: { ...(signature !== undefined && { 'x-registrar-signature-256': signature }) },
      body,
    });
    return response.status;
  }

  /** A status event in the format of the messaging-app platform. */
  async function statusEvent(given: Submitted, event: string, time: number): Promise<string> {
    const [row] = await scene().sql(
      'SELECT upstream_id, upstream_name FROM template_submissions WHERE version_id = $1 ORDER BY submitted_at LIMIT 1',
      [given.versionId],
    );
    const value = {
      event,
      message_template_id: 0,
      message_template_name: row!.upstream_name,
      message_template_language: 'en',
      reason: 'NONE',
    };
    const change = { field: 'message_template_status_update', value };
    const body = JSON.stringify({ entry: [{ id: 'account-1', time, changes: [change] }] });
    return body.replace(
      '"message_template_id":0',
      `"message_template_id":${row!.upstream_id as string}`,
    );
  }

  return {
    approved,
    arrived,
    at,
    eventsOf,
    graphql,
    post,
    postSms,
    statusEvent,
    upstreamOf,
    versionOf,
  };
}
