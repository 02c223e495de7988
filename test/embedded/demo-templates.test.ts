// The templates of the demo that `npm start` creates, on a separate database.

import { expect, inject, test } from 'vitest';
import { createDemoTemplates } from '../../embedded/demo-templates.ts';
import { createDemoTenant } from '../../embedded/demo-tenant.ts';
import { TEMPLATE_STATES } from '../../graphql-api/templates/transitions.ts';
import { TEST_SECRET } from '../graphql-api/harness/tokens.ts';
import { TEST_ENCRYPTION_KEYS } from '../harness/environments.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { sql } from '../harness/tenant.ts';

test('has a version in each state, created once', async () => {
  const { owner, system } = await ownDatabase();
  const app = new URL(inject('databaseUrls').app);
  app.pathname = new URL(owner).pathname;
  const env = {
    DATABASE_APP_URL: app.href,
    DATABASE_SYSTEM_URL: system,
    DATABASE_POOL_MAX: '2',
    LOG_LEVEL: 'error',
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  };
  const tenant = await createDemoTenant(system);
  const versions = () =>
    sql(
      `SELECT template_id, channel, state, is_pinned, approved_at < now() - interval '2 days' AS is_old
       FROM template_versions ORDER BY id`,
      [],
      owner,
    );
  const { templateId } = await createDemoTemplates(env, tenant);
  const made = await versions();
  expect(new Set(made.map(({ state }) => state))).toEqual(new Set(TEMPLATE_STATES));
  expect(made.filter(({ is_pinned }) => is_pinned)).toHaveLength(1);
  const ofOrder = made.filter(version => version.template_id === templateId);
  expect(
    ofOrder.map(({ channel, state }) => `${String(channel)} ${String(state)}`).toSorted(),
  ).toEqual([
    'email Submitted',
    'messaging_app Active',
    'messaging_app Draft',
    'messaging_app Rejected',
    'messaging_app Superseded',
    'sms Active',
  ]);
  expect(ofOrder.filter(({ state }) => state === 'Active').every(({ is_old }) => is_old)).toBe(
    true,
  );
  expect(await createDemoTemplates(env, tenant)).toEqual({ templateId });
  expect(await versions()).toEqual(made);
  const [entries] = await sql('SELECT count(*)::int AS count FROM catalog_entries', [], owner);
  expect(entries).toEqual({ count: 2 });
});
