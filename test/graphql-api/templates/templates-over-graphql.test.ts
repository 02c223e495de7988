// What templates have in GraphQL: competing edits, findings, previews and history.

import { beforeAll, describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { createTemplate } from '../../harness/template.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { type Json, templateRest } from '../harness/template-rest.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
});
const { posted } = templateRest(api, () => tenant);
const by = (role: Role = 'owner') => ({ api: api(), tenant, role });
const node = (id: string) => encodeNodeId('TemplateVersion', id);

describe.concurrent('GraphQL', () => {
  test('one of ten concurrent edits of one revision succeeds; the others receive the current version', async () => {
    const { version_id } = await posted(await createTemplate(tenant.workspaceId));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        tryMutation(
          by('member'),
          'templateVersionEdit',
          { id: node(String(version_id)), input: { expectedRevision: 1, body: `Edit ${n}.` } },
          'templateVersion { revision body } current { revision body }',
        ),
      ),
    );
    const payloads = answers.map(({ data }) => data!.templateVersionEdit as Record<string, Json>);
    const won = payloads.filter(({ templateVersion }) => templateVersion !== null);
    expect(won).toMatchObject([{ templateVersion: { revision: 2 }, userErrors: [] }]);
    for (const lost of payloads.filter(payload => payload !== won[0])) {
      expect(lost.userErrors).toMatchObject([{ code: 'TEMPLATE_CHANGED' }]);
      expect(lost.current).toEqual(won[0]!.templateVersion);
    }
  });

  test('an edit without changes is a no-op', async () => {
    const { version_id, body } = await posted(await createTemplate(tenant.workspaceId));
    const edit = { id: node(String(version_id)), input: { expectedRevision: 1, body } };
    const shown = 'templateVersion { revision }';
    const answer = await mutate<Json>(by(), 'templateVersionEdit', edit, shown);
    expect(answer.templateVersion).toEqual({ revision: 1 });
  });

  test('only the reviewed revision can be submitted', async () => {
    const { version_id } = await posted(await createTemplate(tenant.workspaceId));
    const id = node(String(version_id));
    const submit = { id, input: { expectedRevision: 2 } };
    expect(await refusals(by(), 'templateVersionSubmit', submit)).toEqual([
      'TEMPLATE_CHANGED input.expectedRevision',
    ]);
  });

  test('an edit can be tried without being saved', async () => {
    const sms = { channel: 'sms', body: 'Hi {{first_name}}, it is on its way.', footer: 'Shop' };
    const { version_id, body } = await posted(await createTemplate(tenant.workspaceId), sms);
    const id = node(String(version_id));
    const document = `query ($id: ID!, $input: TemplateTrialInput!) { templateVersion(id: $id) {
      body trial(input: $input) {
        findings { code } smsSize { encoding } variables { name sample } preview { body footer } } } }`;
    const input = { body: 'Hi {{name}} – soon.', footer: null, samples: { name: 'Ravi' } };
    const { templateVersion } = await ask<{ templateVersion: Json }>(by('member'), document, {
      id,
      input,
    });
    expect(templateVersion).toEqual({
      body,
      trial: {
        findings: [{ code: 'TYPOGRAPHIC_CHARACTERS' }, { code: 'SENDER_MISSING' }],
        smsSize: { encoding: 'UCS_2' },
        variables: [{ name: 'name', sample: 'Ravi' }],
        preview: { body: 'Hi Ravi – soon.', footer: null },
      },
    });
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const variables = { id, input: { header: { type: 'IMAGE', text: 'no picture' } } };
    const refused = await api().graphql(document, { token, variables });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test('findings, preview, difference and history', async () => {
    const template = await createTemplate(tenant.workspaceId);
    const sms = { channel: 'sms', body: 'Hi {{first_name}}, it is on its way.' };
    const first = await posted(template, sms);
    const second = await posted(template, { ...sms, body: `${sms.body} Code: {{code}}` });
    const { templateVersion } = await ask<{ templateVersion: Json }>(
      by('member'),
      `query ($id: ID!, $from: ID!) { templateVersion(id: $id) {
        findings { code severity } smsSize { encoding segments }
        preview { body missing } filled: preview(values: {first_name: "Ravi"}) { body missing }
        diff(from: $from) { isBreaking fields { field } variables { name change isBreaking } }
        history { from to cause } drainage pinnedCount isSendable
      } }`,
      { id: node(String(second.version_id)), from: node(String(first.version_id)) },
    );
    expect(templateVersion).toMatchObject({
      findings: [{ code: 'SENDER_MISSING', severity: 'WARN' }],
      smsSize: { encoding: 'GSM_7', segments: 1 },
      preview: { body: 'Hi Asha, it is on its way. Code: 482913', missing: [] },
      filled: { body: 'Hi Ravi, it is on its way. Code: ', missing: ['code'] },
      diff: {
        isBreaking: true,
        fields: [{ field: 'body' }],
        variables: [{ name: 'code', change: 'ADDED', isBreaking: true }],
      },
      history: [{ from: null, to: 'DRAFT', cause: 'create' }],
      drainage: null,
      pinnedCount: 0,
      isSendable: false,
    });
  });
});
