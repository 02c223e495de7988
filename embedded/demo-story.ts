// The history of the demo: actions of the API, each with its user and its day.

import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../graphql-api/app/config.ts';
import { createAppDeps } from '../graphql-api/app/create-app-deps.ts';
import { type AppDeps, type Context, createContext } from '../graphql-api/platform/context.ts';
import { type Action, runAction, runPlatformAction } from '../graphql-api/platform/run-action.ts';
import type { Role } from '../graphql-api/platform/viewer.ts';
import { DAY_MS } from '../schema/values/durations.ts';

export type DemoStory = {
  readonly deps: AppDeps;
  /** Sets the day of the following actions. */
  readonly goTo: (daysAgo: number) => Date;
  /** The organization of this name, created if missing. */
  readonly organization: (name: string) => Promise<string>;
  /** Whether a query returns rows, so that no step is repeated. */
  readonly exists: (query: string, parameters: readonly unknown[]) => Promise<boolean>;
  readonly contextOf: (organizationId: string, role: Role) => Context;
  readonly asOwner: Act;
  readonly asAdmin: Act;
  readonly close: () => Promise<void>;
};

type Act = <I, O>(
  organizationId: string,
  daysAgo: number,
  action: Action<I, O>,
  input: I,
) => Promise<O>;

/** `env` is the environment of the API. */
export async function openDemoStory(
  env: Readonly<Record<string, string | undefined>>,
): Promise<DemoStory> {
  const startMs = Date.now();
  let nowMs = startMs;
  const deps = await createAppDeps(readConfig(env), { nowMs: () => nowMs });
  const goTo = (daysAgo: number) => {
    nowMs = startMs - daysAgo * DAY_MS;
    return new Date(nowMs);
  };
  const contextOf = (organizationId: string, role: Role) =>
    createContext(deps, uuidv7(), {
      userId: role === 'owner' ? 'demo-owner' : 'demo-admin',
      organizationId,
      workspaceId: undefined,
      roles: new Set([role]),
    });
  return {
    deps,
    goTo,
    contextOf,
    organization: name => findOrInsertOrganization(deps, name),
    exists: async (query, parameters) => {
      const ask = deps.database.asSystem(em => em.execute<unknown[]>(query, [...parameters]));
      return (await ask).length > 0;
    },
    asOwner: async (organizationId, daysAgo, action, input) => {
      goTo(daysAgo);
      return runAction(contextOf(organizationId, 'owner'), action, input);
    },
    asAdmin: async (organizationId, daysAgo, action, input) => {
      goTo(daysAgo);
      return runPlatformAction(contextOf(organizationId, 'platform_admin'), action, input);
    },
    close: async () => {
      await deps.warehouses.close();
      await deps.database.close();
    },
  };
}

function findOrInsertOrganization({ database }: AppDeps, name: string): Promise<string> {
  return database.asSystem(async em => {
    const [found] = await em.execute<{ id: string }[]>(
      'SELECT id FROM organizations WHERE name = ? ORDER BY id LIMIT 1',
      [name],
    );
    if (found !== undefined) return found.id;
    const id = uuidv7();
    await em.execute('INSERT INTO organizations (id, name) VALUES (?, ?)', [id, name]);
    return id;
  });
}
