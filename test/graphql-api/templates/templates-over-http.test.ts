// Templates as REST clients see them.

import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { bringTo, createTemplate, createVersion } from '../../harness/template.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { createCatalogEntry } from '../harness/furnish-templates.ts';
import { mutate } from '../harness/mutate.ts';
import { type Json, templateRest, VERSION_FIELDS } from '../harness/template-rest.ts';

const api = useSharedApi();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
});
const { rest, posted } = templateRest(api, () => tenant);
const by = (role: Role = 'owner') => ({ api: api(), tenant, role });

describe.concurrent('POST /api/v1/templates/{id}/versions', () => {
  test('201: a Draft with the fields of the contract, in REST notation', async () => {
    const template = await createTemplate(tenant.workspaceId);
    const version = await posted(template, {
      channel: 'messaging_app',
      language: 'en_US',
      category: 'utility',
      header: { type: 'image', url: 'https://example.com/a.png' },
      footer: 'Example Shop',
      buttons: [{ type: 'phone', text: 'Call', phone_number: '+911234' }],
      samples: { first_name: 'Ravi' },
    });
    expect(Object.keys(version)).toEqual(VERSION_FIELDS);
    expect(version).toMatchObject({
      template_id: template,
      language: 'en_US',
      state: 'Draft',
      category: 'utility',
      header: { type: 'image', url: 'https://example.com/a.png' },
      footer: 'Example Shop',
      buttons: [{ type: 'phone', text: 'Call', phone_number: '+911234' }],
      variables: [
        { name: 'first_name', type: 'text', is_required: true, fallback: null, sample: 'Ravi' },
      ],
      force_rollout: false,
      submitted_at: null,
      pinned_count: 0,
    });
  });

  test('copies omitted fields from the Active version, otherwise from the latest; null clears a field', async () => {
    const template = await createTemplate(tenant.workspaceId);
    const first = await posted(template, { footer: 'One', samples: { first_name: 'Ravi' } });
    const second = await posted(template, { body: 'Hi {{first_name}}.', footer: 'Two' });
    const third = await rest('POST', `/templates/${template}/versions`, {});
    expect(third.json.version).toMatchObject({
      body: second.body,
      footer: 'Two',
      variables: [{ sample: 'Ravi' }],
    });
    await bringTo(tenant.workspaceId, String(first.version_id), 'Active');
    await posted(template, { channel: 'email', language: 'de', body: '<p>Hallo</p>' });
    const fourth = await rest('POST', `/templates/${template}/versions`, { footer: null });
    expect(fourth.json.version).toMatchObject({
      channel: 'messaging_app',
      language: 'en',
      body: first.body,
      footer: null,
    });
  });

  test('400: no body, fields of another channel, unknown fields, too many values', async () => {
    const path = `/templates/${await createTemplate(tenant.workspaceId)}/versions`;
    const values = Array.from({ length: 101 }, (_, index) => `{{value_${index}}}`);
    for (const body of [
      {},
      { body: 'x', category: 'transactional' },
      { body: 'x', channel: 'fax' },
      { body: 'x', header: { type: 'image', text: 'x' } },
      { body: 'x', subject: 'x' },
      { body: 'x', language: 'English!' },
      { body: values.join(' ') },
    ]) {
      const { status, json } = await rest('POST', path, body);
      expect([status, Object.keys(json)], JSON.stringify(json)).toEqual([400, ['detail']]);
    }
  });

  test('members can edit, and owners can force a rollout', async () => {
    const path = `/templates/${await createTemplate(tenant.workspaceId)}/versions`;
    expect((await rest('POST', path, { body: 'x' }, 'member')).status).toBe(201);
    const forced = { body: 'x', force_rollout: true };
    expect((await rest('POST', path, forced, 'member')).status).toBe(403);
    expect((await rest('POST', path, forced)).json.version).toMatchObject({ force_rollout: true });
  });
});

describe.concurrent('submit and activate', () => {
  const at = ({ template_id, version_id }: Json, verb: string) =>
    `/templates/${String(template_id)}/versions/${String(version_id)}/${verb}`;

  test('200: Submitted, with the time; 409 with the state for a repeat', async () => {
    const version = await posted(await createTemplate(tenant.workspaceId));
    const { status, json } = await rest('POST', at(version, 'submit'), undefined, 'member');
    expect([status, json.status]).toEqual([200, 'SUCCESS']);
    expect(json.version).toMatchObject({ state: 'Submitted', submitted_at: expect.any(String) });
    expect(await rest('POST', at(version, 'submit'))).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('Submitted'), state: 'Submitted' },
    });
  });

  test('422: content that the channel does not accept, with all findings', async () => {
    const version = await posted(await createTemplate(tenant.workspaceId), {
      category: 'utility',
      body: 'x'.repeat(1025),
      footer: 'y'.repeat(61),
    });
    const { status, json } = await rest('POST', at(version, 'submit'));
    expect(status).toBe(422);
    expect(json.detail).toContain('at most 1024');
    expect(json.findings).toMatchObject([
      { code: 'BODY_TOO_LONG', path: 'body', limit: 1024, actual: 1025, severity: 'block' },
      { code: 'FOOTER_TOO_LONG', severity: 'block' },
    ]);
  });

  test('200: Active, also for a repeat; 403 for a member, 409 for a Draft', async () => {
    const version = await posted(await createTemplate(tenant.workspaceId));
    expect((await rest('POST', at(version, 'activate'))).status).toBe(409);
    await bringTo(tenant.workspaceId, String(version.version_id), 'Active');
    expect((await rest('POST', at(version, 'activate'), undefined, 'member')).status).toBe(403);
    const { status, json } = await rest('POST', at(version, 'activate'));
    expect([status, (json.version as Json).state]).toEqual([200, 'Active']);
  });

  test('404: a version of another template', async () => {
    const [one, other] = await Promise.all([
      createTemplate(tenant.workspaceId),
      createTemplate(tenant.workspaceId),
    ]);
    const version = { ...(await posted(one)), template_id: other };
    for (const verb of ['submit', 'activate'])
      expect((await rest('POST', at(version, verb))).status).toBe(404);
  });
});

describe.concurrent('GET', () => {
  test('a template with its Active version and the approved ones, by channel too', async () => {
    const { workspaceId } = tenant;
    const templateId = await createTemplate(workspaceId);
    const add = (state: 'Active' | 'Superseded' | 'Draft' | 'Rejected', number: number) =>
      createVersion(workspaceId, { templateId, state, number });
    const superseded = await add('Superseded', 1);
    const active = await add('Active', 2);
    for (const [state, number] of [
      ['Draft', 3],
      ['Rejected', 4],
    ] as const)
      await add(state, number);
    const sms = await createVersion(workspaceId, { templateId, channel: 'sms', state: 'Active' });
    const { json } = await rest('GET', `/templates/${templateId}`);
    const template = json.template as Record<string, never>;
    const idsOf = ({ active_version, approved_versions }: Record<string, Json & Json[]>) => [
      active_version?.version_id,
      approved_versions!.map(({ version_id }) => version_id),
    ];
    expect(idsOf(template)).toEqual([sms, [sms, active, superseded]]);
    const { channels } = template as Record<string, Record<string, never>>;
    expect(idsOf(channels!.messaging_app!)).toEqual([active, [active, superseded]]);
    expect(idsOf(channels!.sms!)).toEqual([sms, [sms]]);
    expect(channels!.email).toEqual({ active_version: null, approved_versions: [] });
  });

  test('every version, newest first, in pages', async () => {
    const template = await createTemplate(tenant.workspaceId);
    const ids = [];
    for (const body of ['a', 'b', 'c']) ids.unshift((await posted(template, { body })).version_id);
    const { json } = await rest('GET', `/templates/${template}/versions?limit=2`);
    const rest2 = await rest(
      'GET',
      `/templates/${template}/versions?cursor=${String(json.next_cursor)}`,
    );
    const items = [json, rest2.json].flatMap(page => page.items as Json[]);
    expect(items.map(({ version_id }) => version_id)).toEqual(ids);
    expect(rest2.json).toMatchObject({ status: 'SUCCESS', next_cursor: null });
  });

  test('DELETE archives the template, also for a repeat', async () => {
    const template = await createTemplate(tenant.workspaceId);
    const { version_id } = await posted(template);
    expect((await rest('DELETE', `/templates/${template}`, undefined, 'member')).status).toBe(403);
    for (const _ of [1, 2]) {
      const { status, json } = await rest('DELETE', `/templates/${template}`);
      expect([status, json]).toMatchObject([
        200,
        { template: { archived_at: expect.any(String) } },
      ]);
    }
    const { json } = await rest('GET', `/templates/${template}/versions`);
    expect(json.items).toMatchObject([{ version_id, state: 'Archived' }]);
  });

  test('a catalog entry’s source, for platform admins; a template made from the entry', async () => {
    const id = await createCatalogEntry();
    const path = `/admin/catalog/entries/${id}/source-detail`;
    expect((await rest('GET', path)).status).toBe(403);
    expect((await rest('GET', path, undefined, 'platform_admin')).json).toMatchObject({
      status: 'SUCCESS',
      entry: { id, source: { origin: 'editorial', secret: 'of the platform' } },
    });
    const missing = `/admin/catalog/entries/${uuidv7()}/source-detail`;
    expect((await rest('GET', missing, undefined, 'platform_admin')).status).toBe(404);
    const input = { catalogEntryId: encodeNodeId('CatalogEntry', id) };
    const shown = 'template { name id }';
    const { template } = await mutate<{ template: { id: string; name: string } }>(
      by('member'),
      'templateFromCatalogEntry',
      { input },
      shown,
    );
    expect(template.name).toBe('Welcome');
    const versions = await rest('GET', `/templates/${decodeNodeId(template.id).id}/versions`);
    expect(versions.json.items).toMatchObject([
      { state: 'Draft', variables: [{ name: 'first_name', sample: 'Ravi' }] },
    ]);
  });
});
