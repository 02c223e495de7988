import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateUpdate } from './template.contract.ts';
import { lockTemplate, requireLive } from './version.lock.ts';

/** Updates the name and description. Does not create or change a version. */
export async function templateUpdate(
  scope: ActionScope,
  { id, version, name, description }: TemplateUpdate,
): Promise<{ readonly id: string }> {
  const { em, deps, audit } = scope;
  const template = await lockTemplate(scope, id);
  requireLive(template);
  if (template.version !== version)
    reject('TEMPLATE_CHANGED', { field: ['version'], facts: { version: template.version } });
  const before = { name: template.name, description: template.description };
  const after = {
    name: name ?? before.name,
    description: description === undefined ? before.description : (description ?? ''),
  };
  if (before.name === after.name && before.description === after.description) return { id };
  Object.assign(template, after);
  template.version += 1;
  template.updatedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({
    action: 'template.update',
    subjectType: 'template',
    subjectId: id,
    before,
    after,
  });
  return { id };
}
