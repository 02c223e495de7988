import { changeEntity } from '../platform/change-entity.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateUpdate } from './template.contract.ts';
import { lockTemplate, requireLive } from './version.lock.ts';

/** Updates the name and description. Does not create or change a version. */
export async function templateUpdate(
  scope: ActionScope,
  { id, version, name, description }: TemplateUpdate,
): Promise<{ readonly id: string }> {
  const template = await lockTemplate(scope, id);
  requireLive(template);
  if (template.version !== version)
    reject('TEMPLATE_CHANGED', { field: ['version'], facts: { version: template.version } });
  const texts = {
    name: name ?? template.name,
    description: description === undefined ? template.description : (description ?? ''),
  };
  if (template.name === texts.name && template.description === texts.description) return { id };
  const updatedAt = new Date(scope.deps.clock.nowMs());
  const changes = { ...texts, version: version + 1, updatedAt };
  return changeEntity(scope, template, changes, {
    action: 'template.update',
    shown: ({ name, description }) => ({ name, description }),
  });
}
