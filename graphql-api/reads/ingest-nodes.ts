import { permitted } from '../access/permit.ts';
import type { Context } from '../context.ts';
import type { IngestNode } from '../reports/ingest-nodes.ts';

/** With what they hold of all tenants. */
export function ingestNodes({ viewer, deps }: Context): Promise<readonly IngestNode[]> {
  permitted(viewer, 'platformAdmin');
  return deps.ingestNodes.ask();
}
