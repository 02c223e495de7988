import { permitted } from '../access/permit.ts';
import type { Context } from '../context.ts';
import type { IngestNode } from '../reports/ingest-nodes.ts';

/** With what they hold of all tenants. */
export async function ingestNodes({ viewer, deps }: Context): Promise<IngestNode[]> {
  permitted(viewer, 'platformAdmin');
  const { nodes } = await deps.ingestNodes.ask();
  return [...nodes];
}
