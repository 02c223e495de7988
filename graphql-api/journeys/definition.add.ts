import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Template } from '../templates/template.entity.ts';
import { TemplateVersion } from '../templates/version.entity.ts';
import { JourneyDefinition } from './definition.entity.ts';
import type { Journey } from './journey.entity.ts';
import type { JourneyNode, SendNode } from './nodes.ts';
import { isOfNode, sendNodesOf } from './snapshot.ts';

/** A widget may have up to 64 KiB of content, but not every node needs that much. */
const DEFINITION_BYTES_MAX = 256 * 1024;

/** Adds a definition for contacts who enter from now on. Enrolments in flight keep theirs. */
export async function addDefinition(
  scope: ActionScope,
  journey: Pick<Journey, 'id' | 'workspaceId' | 'definitionNumber'>,
  nodes: readonly JourneyNode[],
): Promise<void> {
  const { em, viewer, deps } = scope;
  if (Buffer.byteLength(JSON.stringify(nodes)) > DEFINITION_BYTES_MAX)
    reject('JOURNEY_TOO_LARGE', { field: ['nodes'] });
  await requireTemplates(scope, journey.workspaceId, sendNodesOf(nodes));
  await em.insert(JourneyDefinition, {
    id: deps.newId(),
    journeyId: journey.id,
    workspaceId: journey.workspaceId,
    number: journey.definitionNumber,
    nodes: [...nodes],
    createdBy: viewer.userId,
    createdAt: new Date(deps.clock.nowMs()),
  });
}

/** Requires live templates of the workspace, and versions of exactly those templates. */
async function requireTemplates(
  { em }: ActionScope,
  workspaceId: string,
  nodes: readonly SendNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  const ids = nodes.map(({ templateId }) => templateId);
  const found = await em.find(Template, { id: { $in: ids }, workspaceId, archivedAt: null });
  const missing = nodes.find(node => found.every(({ id }) => id !== node.templateId));
  if (missing !== undefined)
    reject('NOT_FOUND', {
      field: ['nodes'],
      message: `The template of node ${missing.id} does not exist or is archived.`,
    });
  const named = nodes.filter(({ versionId }) => versionId !== undefined);
  if (named.length === 0) return;
  const versionIds = named.map(({ versionId }) => versionId!);
  const versions = await em.find(TemplateVersion, { id: { $in: versionIds }, workspaceId });
  for (const node of named) {
    const version = versions.find(({ id }) => id === node.versionId);
    if (version === undefined || !isOfNode(version, node))
      reject('VERSION_OF_ANOTHER_NODE', { field: ['nodes'], facts: { node: node.id } });
  }
}
