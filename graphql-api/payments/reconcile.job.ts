// Webhooks get lost: the gateway tries three times. What stays open too long is asked about, and what it
// says goes through the same rules as what it sends.

import type { AppDeps } from '../platform/context.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { askGateway, NoAnswer, type OpenObject } from './ask-gateway.ts';
import { accountById } from './client/accounts.ts';
import { applyFact } from './inbox/apply-fact.ts';
import { reasonOf } from './inbox/fail-event.ts';
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
      // The others are asked about all the same; this one again, some time later.
      unanswered++;
      const reason = error instanceof NoAnswer ? error.fault.code : reasonOf(error);
      log.warn({ kind: object.kind, id: object.id, reason }, 'the gateway was asked in vain');
    }
  }
  return { asked: open.length, unanswered };
}

const NOT_FOUND = 404;

function isUnknownThere({ fault }: NoAnswer): boolean {
  return fault.kind === 'REFUSED' && fault.status === NOT_FOUND;
}

/** No transaction is open while the gateway is asked. */
async function reconcile(deps: AppDeps, object: OpenObject): Promise<void> {
  const { database, gateway, clock } = deps;
  const { accountId } = object;
  const account = await database.asSystem(em => accountById(em, deps, accountId));
  const facts = await askGateway({ gateway, account, atMs: clock.nowMs() }, object);
  await database.asSystem(async em => {
    for (const fact of facts) await applyFact({ em, deps, accountId }, fact);
  });
}
