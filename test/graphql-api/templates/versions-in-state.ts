import { v7 as uuidv7 } from 'uuid';
import type { TemplateState } from '../../../graphql-api/templates/transitions.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import type { Tenant } from '../../harness/tenant.ts';

export function versionsInState(tenant: () => Tenant) {
  async function inState(state: TemplateState) {
    const templateId = await createTemplate(tenant().workspaceId);
    const submissionId = uuidv7();
    const options = { templateId, state, submissionId };
    return { templateId, submissionId, id: await createVersion(tenant().workspaceId, options) };
  }
  return { inState };
}
