import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { INTERNAL_TOKEN } from '../../../harness/internal.ts';
import type { Tenant } from '../../../harness/tenant.ts';
import type { OutboxScene } from '../../platform/warehouse/outbox-scene.ts';
import { SINCE } from './replay-inputs.ts';

/** `npm run replay` for a workspace of the scene. */
export function replayCommand(scene: () => OutboxScene) {
  async function replay(tenant: Tenant, args: readonly string[], env = {}): Promise<Outcome> {
    const all = [
      'embedded/replay.ts',
      '--workspace',
      tenant.workspaceId,
      '--since',
      SINCE,
      ...args,
    ];
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, all, {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH ?? '',
          DATABASE_APP_URL: scene().deps.config.databaseUrls.app,
          DATABASE_SYSTEM_URL: scene().deps.config.databaseUrls.system,
          CLICKHOUSE_URL: inject('clickhouseUrl'),
          INGEST_URL: scene().ingest.url,
          INTERNAL_TOKEN,
          ...env,
        },
      });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as Outcome;
      return { code, stdout, stderr };
    }
  }
  return { replay };
}

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

export type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string };
