// Controls the behavior of reviewers, recipients and the network, for development and tests:
// `POST /control/<what>` with a JSON object.

import type { Life } from './life.ts';
import type { FaultKind, HeldTemplate, Store } from './store.ts';
import type { Targets, Webhooks } from './webhooks.ts';

export type ControlTools = {
  readonly store: Store;
  readonly life: Life;
  readonly webhooks: Webhooks;
  readonly targets: Targets;
};

type Given = Readonly<Record<string, unknown>>;

/** Returns undefined if the control does not exist. */
export async function control(tools: ControlTools, what: string, given: Given): Promise<unknown> {
  const { store, life, webhooks, targets } = tools;
  switch (what) {
    case 'templates':
      return [...store.templates.values()];
    case 'requests':
      return store.requests;
    case 'webhooks':
      return webhooks.sent;
    case 'manner':
      Object.assign(life.manner, picked(given, life.manner));
      Object.assign(webhooks.manner, picked(given, webhooks.manner));
      return {};
    case 'targets':
      for (const channel of ['messaging_app', 'sms'] as const)
        if (typeof given[channel] === 'string') targets[channel].url = given[channel];
      return {};
    case 'faults': {
      const [on, kind] = [textOf(given.on), textOf(given.kind) as FaultKind];
      store.faults.push({ on, kind, left: Number(given.count ?? 1) });
      return {};
    }
    case 'decide':
      return each(store, given, template => life.decide(template, optionsOf(given)));
    case 'say':
      return each(store, given, template =>
        life.say(template, textOf(given.event), optionsOf(given)),
      );
    case 'release':
      await webhooks.release(given.isReversed === true);
      return {};
    default:
      return undefined;
  }
}

function picked(given: Given, known: object): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)));
}

/** Applies the work to the templates whose name starts with `name`. */
function each(store: Store, { name = '' }: Given, work: (template: HeldTemplate) => void) {
  const found = [...store.templates.values()].filter(of => of.name.startsWith(textOf(name)));
  for (const template of found) work(template);
  return { count: found.length };
}

function optionsOf({ status, reason, title, isSilent, atMs }: Given) {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    status: text(status),
    reason: text(reason),
    title: text(title),
    isSilent: isSilent === true,
    atMs: typeof atMs === 'number' ? atMs : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
