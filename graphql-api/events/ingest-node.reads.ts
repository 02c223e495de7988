import type { Context } from '../platform/context.ts';
import { permitted } from '../platform/permit.ts';
import type { IngestNode } from '../platform/warehouse/ingest-nodes.ts';

/** The ingest nodes, with undelivered data of all tenants. */
export async function ingestNodes({ viewer, deps }: Context): Promise<IngestNode[]> {
  permitted(viewer, 'platformAdmin');
  const { nodes } = await deps.ingestNodes.ask();
  return [...nodes];
}
