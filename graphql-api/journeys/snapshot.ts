// The pins of a new enrolment: one version per send node, all read at the same time.

import { createHash } from 'node:crypto';
import { isApprovedState, type TemplateState } from '../templates/transitions.ts';
import type { JourneyNode, SendNode } from './nodes.ts';

export type PinnableVersion = {
  readonly id: string;
  readonly templateId: string;
  readonly channel: string;
  readonly language: string;
  readonly state: TemplateState;
};

export type Pin = { readonly nodeId: string; readonly versionId: string };

export function sendNodesOf(nodes: readonly JourneyNode[]): SendNode[] {
  return nodes.filter(node => node.kind === 'send');
}

/**
 * A node that names a version is pinned to it if it is sendable or still submitted; if it is
 * rejected later, the sends fall back. All other nodes are pinned to the Active version. A node
 * without an Active version has no pin.
 */
export function pinsOf(nodes: readonly JourneyNode[], versions: readonly PinnableVersion[]): Pin[] {
  return sendNodesOf(nodes).flatMap(node => {
    const ofNode = versions.filter(version => isOfNode(version, node));
    const named = ofNode.find(
      ({ id, state }) => id === node.versionId && (state === 'Submitted' || isApprovedState(state)),
    );
    const pinned = named ?? ofNode.find(({ state }) => state === 'Active');
    return pinned === undefined ? [] : [{ nodeId: node.id, versionId: pinned.id }];
  });
}

export function isOfNode(
  version: Pick<PinnableVersion, 'templateId' | 'channel' | 'language'>,
  node: Pick<SendNode, 'templateId' | 'channel' | 'language'>,
): boolean {
  return (
    version.templateId === node.templateId &&
    version.channel === node.channel &&
    version.language === node.language
  );
}

/** Equal for equal pins of a definition, in any order. */
export function snapshotHash(definitionId: string, pins: readonly Pin[]): string {
  const parts = pins.map(({ nodeId, versionId }) => [nodeId, versionId]);
  const inOrder = parts.toSorted(([a], [b]) => (a! < b! ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([definitionId, inOrder]))
    .digest('hex');
}
