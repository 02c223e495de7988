// Applies many device registrations and deactivations in few statements, each of one kind. Changes
// of one token take effect in the given order. A deactivation may apply to all properties, so the
// order is kept per token of a workspace and not per device.

import type { PostgresClient } from '../postgres/statement.ts';
import { type Deactivation, deactivateDevices } from './deactivate-devices.ts';
import { type Registration, registerDevices } from './register-devices.ts';

export type DeviceChange =
  | { readonly kind: 'register'; readonly registration: Registration }
  | { readonly kind: 'deactivate'; readonly deactivation: Deactivation };

/** Each step commits separately; otherwise two callers could deadlock. */
export async function changeDevices(
  client: PostgresClient,
  changes: readonly DeviceChange[],
): Promise<void> {
  for (const { registrations, deactivations } of stepsOf(changes)) {
    if (registrations.length > 0) await registerDevices(client, registrations);
    if (deactivations.length > 0) await deactivateDevices(client, deactivations);
  }
}

/** The registrations of a step run before its deactivations. */
type Step = { readonly registrations: Registration[]; readonly deactivations: Deactivation[] };

/** A registration after a deactivation of the same token needs another step. */
function stepsOf(changes: readonly DeviceChange[]): Step[] {
  const steps: Step[] = [];
  const at = (index: number) => (steps[index] ??= { registrations: [], deactivations: [] });
  const latest = new Map<string, { step: number; isDeactivation: boolean }>();
  for (const change of changes) {
    const keys = keysOf(change);
    const isDeactivation = change.kind === 'deactivate';
    let index = 0;
    for (const key of keys) {
      const before = latest.get(key);
      if (before === undefined) continue;
      const earliest = before.isDeactivation && !isDeactivation ? before.step + 1 : before.step;
      index = Math.max(index, earliest);
    }
    for (const key of keys) latest.set(key, { step: index, isDeactivation });
    if (change.kind === 'register') at(index).registrations.push(change.registration);
    else at(index).deactivations.push(change.deactivation);
  }
  return steps;
}

function keysOf(change: DeviceChange): string[] {
  if (change.kind === 'register') {
    const { workspaceId, token } = change.registration;
    return [`${workspaceId} ${token}`];
  }
  const { workspaceId, tokens } = change.deactivation;
  return tokens.map(token => `${workspaceId} ${token}`);
}
