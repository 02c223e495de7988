// The alerts of versions that wait too long for their verdict.

import { expect, test } from 'vitest';
import { raiseAlerts } from '../../../../graphql-api/templates/approval/raise-alerts.ts';
import { submitted, useApprovalScene } from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { arrived, at } = approvalSteps(scene);
const HOUR_MS = 3_600_000;

test('a version that waits too long raises one alert per step, until the verdict', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const { deps, sql: query } = scene();
  const now = Date.now();
  const alerts = () =>
    query('SELECT step, cleared_by FROM template_alerts WHERE version_id = $1 ORDER BY step', [
      given.versionId,
    ]);
  const after = (hours: number) => at(now + hours * HOUR_MS, () => raiseAlerts(deps));
  await after(23);
  expect(await alerts()).toEqual([]);
  await after(25);
  await after(26);
  expect(await alerts()).toEqual([{ step: 1, cleared_by: null }]);
  await after(49);
  await scene().control('decide', { name: given.name });
  await arrived(given, 1);
  expect(await alerts()).toEqual([
    { step: 1, cleared_by: 'APPROVED' },
    { step: 2, cleared_by: 'APPROVED' },
  ]);
  await after(200);
  expect(await alerts()).toHaveLength(2);
  const told = await query(
    `SELECT type FROM outbound_events WHERE workspace_id = $1 ORDER BY created_at`,
    [given.tenant.workspaceId],
  );
  expect(told.map(({ type }) => type)).toEqual([
    'template.approval_overdue',
    'template.approval_overdue',
    'template.approved',
  ]);
});
