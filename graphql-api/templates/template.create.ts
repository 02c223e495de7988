import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateCreate } from './template.contract.ts';
import { Template } from './template.entity.ts';

/** Includes archived templates: enough for several new ones a day for years. */
const TEMPLATES_MAX = 10_000;

export function templateCreate(
  scope: ActionScope,
  { name, description }: TemplateCreate,
): Promise<{ readonly id: string }> {
  return addTemplate(scope, { name, description: description ?? '' });
}

type NewTemplate = {
  readonly name: string;
  readonly description: string;
  readonly catalogEntryId?: string;
};

/** Inserts a template without versions. */
export async function addTemplate(
  scope: ActionScope,
  { name, description, catalogEntryId }: NewTemplate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `templates of ${workspaceId}`);
  if ((await countOf(em, Template, { workspaceId })) >= TEMPLATES_MAX) reject('TOO_MANY_TEMPLATES');
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  await em.insert(Template, {
    id,
    workspaceId,
    name,
    description,
    catalogEntryId: catalogEntryId ?? null,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await audit({
    action: 'template.create',
    subjectType: 'template',
    subjectId: id,
    after: { name, description, ...(catalogEntryId !== undefined && { catalogEntryId }) },
  });
  return { id };
}
