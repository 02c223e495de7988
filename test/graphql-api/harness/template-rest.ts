// Calls the REST API of templates, for tests of its responses.

import { expect } from 'vitest';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import type { Tenant } from '../../harness/tenant.ts';
import type { Api } from './api-process.ts';
import { tokenFor } from './tokens.ts';

export type Json = Record<string, unknown>;
export type RestAnswer = { readonly status: number; readonly json: Json };

export type TemplateRest = {
  readonly rest: (method: string, path: string, body?: unknown, role?: Role) => Promise<RestAnswer>;
  /** Creates a Draft. */
  readonly posted: (templateId: string, body?: Json) => Promise<Json>;
};

/** The fields that the design specifies, in order. */
export const VERSION_FIELDS = [
  'version_id template_id channel language state category body header footer buttons variables',
  'force_rollout created_at submitted_at approved_at activated_at rejection_reason pinned_count',
].flatMap(line => line.split(' '));

export function templateRest(api: () => Api, tenant: () => Tenant): TemplateRest {
  const rest: TemplateRest['rest'] = async (method, path, body, role = 'owner') => {
    const answer = await api().rest(`/api/v1${path}`, {
      method,
      token: await tokenFor(tenant().organizationId, { roles: [role] }),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { status: answer.status, json: answer.json() as Json };
  };
  return {
    rest,
    async posted(templateId, body = {}) {
      const given = { body: 'Hello {{first_name}}, welcome to us.', ...body };
      const { status, json } = await rest('POST', `/templates/${templateId}/versions`, given);
      expect(status, JSON.stringify(json)).toBe(201);
      return json.version as Json;
    },
  };
}
