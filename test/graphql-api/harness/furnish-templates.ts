// Template data of a tenant, for the tests that walk the schema.

import { v7 as uuidv7 } from 'uuid';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

export function templateIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('template of a test', workspaceId);
}

export function templateVersionIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('template version of a test', workspaceId);
}

/** A template with an Active version. */
export async function furnishTemplates(tenant: Tenant): Promise<void> {
  const templateId = await createTemplate(tenant.workspaceId, { id: templateIdOf(tenant) });
  const id = templateVersionIdOf(tenant);
  await createVersion(tenant.workspaceId, { id, templateId, state: 'Active' });
}

/** Creates an entry that every tenant sees, and returns its ID. */
export async function createCatalogEntry(): Promise<string> {
  const id = uuidv7();
  const version = {
    channel: 'messaging_app',
    language: 'en',
    category: 'utility',
    body: 'Hello {{first_name}}, welcome to us.',
    header: null,
    footer: null,
    buttons: [],
    extras: {},
    samples: { first_name: 'Ravi' },
  };
  await sql(
    `INSERT INTO catalog_entries (id, name, versions, source, created_by)
     VALUES ($1, 'Welcome', $2, $3, 'user-1')`,
    [
      id,
      JSON.stringify([version]),
      JSON.stringify({ origin: 'editorial', secret: 'of the platform' }),
    ],
  );
  return id;
}
