// Webhooks can be lost: the gateway sends each at most three times. This job queries the gateway
// for objects that stay open too long and applies the responses by the same rules as webhooks.

import type { AppDeps } from '../platform/context.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { askGateway, NoAnswer, type OpenObject } from './ask-gateway.ts';
import { accountById } from './client/accounts.ts';
import { applyFact } from './inbox/apply-fact.ts';
import { reasonOf } from './inbox/process-gateway-events.ts';
import { neverMade, takeOpenObjects } from './open-objects.ts';

export const reconcileGateway = defineJob({
  name: 'reconcile-gateway',
  schedule: '*/10 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { asked, unanswered } = await reconcileOpenObjects(context.deps, signal);
    context.note({ asked, unanswered });
  },
});

export async function reconcileOpenObjects(
  deps: AppDeps,
  signal?: AbortSignal,
): Promise<{ readonly asked: number; readonly unanswered: number }> {
  const { database, clock, log } = deps;
  const open = await database.asSystem(em => takeOpenObjects(em, clock.nowMs()));
  let unanswered = 0;
  for (const object of open) {
    signal?.throwIfAborted();
    try {
      await reconcile(deps, object);
    } catch (error) {
      if (object.isAbandoned && error instanceof NoAnswer && isUnknownThere(error)) {
        await database.asSystem(em => neverMade({ em, deps }, object));
        continue;
      }
      // Continue with the other objects. This one is retried in a later run.
      unanswered++;
      const reason = error instanceof NoAnswer ? error.fault.code : reasonOf(error);
      log.warn(
        { kind: object.kind, id: object.id, reason },
        'gateway query failed, retrying later',
      );
    }
  }
  return { asked: open.length, unanswered };
}

const NOT_FOUND = 404;

function isUnknownThere({ fault }: NoAnswer): boolean {
  return fault.kind === 'REFUSED' && fault.status === NOT_FOUND;
}

/** No transaction is open during the call to the gateway. */
async function reconcile(deps: AppDeps, object: OpenObject): Promise<void> {
  const { database, gateway, clock } = deps;
  const { accountId } = object;
  const account = await database.asSystem(em => accountById(em, deps, accountId));
  const facts = await askGateway({ gateway, account, atMs: clock.nowMs() }, object);
  await database.asSystem(async em => {
    for (const fact of facts) await applyFact({ em, deps, accountId }, fact);
  });
}
