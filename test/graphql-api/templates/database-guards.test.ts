// What the database itself refuses, whatever the code does.

import { beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATE_STATES } from '../../../graphql-api/templates/transitions.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { versionsInState } from './versions-in-state.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
});

const { inState } = versionsInState(() => tenant);

describe.concurrent('the database by itself', () => {
  const set = (id: string, what: string) =>
    sql(`UPDATE template_versions SET ${what} WHERE id = $1`, [id]);

  test('prevents a second Active version', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    await createVersion(tenant.workspaceId, { templateId, state: 'Active' });
    const number = 2;
    const second = createVersion(tenant.workspaceId, { templateId, state: 'Active', number });
    await expect(second).rejects.toThrow('template_versions_active');
  });

  test('refuses every state change that is not a transition', async () => {
    const { id } = await inState('Rejected');
    for (const to of TEMPLATE_STATES.filter(state => !['Rejected', 'Archived'].includes(state)))
      await expect(set(id, `state = '${to}'`), to).rejects.toThrow('cannot go from Rejected');
  });

  test.for(TEMPLATE_STATES.filter(state => state !== 'Draft'))(
    'keeps the content of %s',
    async state => {
      const { id } = await inState(state);
      for (const change of [
        "body = 'x'",
        "category = 'x'",
        "buttons = '[{}]'",
        "content_hash = 'x'",
      ])
        await expect(set(id, change), change).rejects.toThrow('stays');
      await set(id, 'force_rollout = true');
    },
  );

  test('keeps versions and their history', async () => {
    const { id } = await inState('Draft');
    await expect(sql('DELETE FROM template_versions WHERE id = $1', [id])).rejects.toThrow('only');
    for (const table of ['template_transitions', 'template_verdicts'])
      await expect(sql(`DELETE FROM ${table}`), table).rejects.toThrow('append-only');
  });
});
