// The API calls of the messaging app's platform and of the SMS registrar.

import { judge } from './judge.ts';
import type { Life } from './life.ts';
import { type HeldTemplate, keyOf, type Store } from './store.ts';

export type Answer = { readonly status: number; readonly body: unknown };

export type Asked = {
  readonly method: string;
  /** The path below the account or the API. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly url: string;
};

type Tools = { readonly store: Store; readonly life: Life };

const NAMES_MAX = 250;
const PAGE_SIZE = 25;

/** Handles `/{version}/{account}/message_templates`. */
export function platformCall(tools: Tools, asked: Asked): Answer {
  const { method, path, query } = asked;
  if (path.join('/') !== 'message_templates')
    return refusal(404, '2500', 'Unknown path components');
  if (method === 'POST') return createOnPlatform(tools, asked);
  if (method === 'DELETE') return deleteFromPlatform(tools.store, query);
  const name = query.get('name') ?? '';
  const all = held(tools.store, 'messaging_app').filter(template => template.name.includes(name));
  const { items, next } = page(all, query, 'after');
  const shown = items.map(({ id, name: of, language, status, category, reason }) => ({
    id,
    name: of,
    language,
    status,
    category,
    rejected_reason: status === 'REJECTED' ? (reason ?? 'NONE') : 'NONE',
  }));
  // The last page has cursors too, but no `next` URL.
  const cursors = { before: 'first', after: next ?? 'last' };
  const address = next === undefined ? {} : { next: `${asked.url}&after=${next}` };
  return { status: 200, body: { data: shown, paging: { cursors, ...address } } };
}

function createOnPlatform({ store, life }: Tools, { body }: Asked): Answer {
  const { name, language, category, components } = body;
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name))
    return refusal(400, '2388047', 'The name may only contain a-z, 0-9 and _.');
  if (typeof language !== 'string' || !Array.isArray(components))
    return refusal(400, '100', 'Invalid parameter');
  const key = keyOf('messaging_app', name, language);
  if (store.templates.has(key))
    return refusal(400, '2388024', 'There is already content in this language.');
  if (new Set(held(store, 'messaging_app').map(of => of.name)).size >= NAMES_MAX)
    return refusal(400, '2388019', 'The account has reached its maximum number of templates.');
  const main = (components as { type?: string; text?: string }[]).find(
    ({ type }) => type === 'BODY',
  );
  const text = main?.text ?? '';
  if (text === '' || text.length > 1024)
    return refusal(400, '2388040', 'The body must have 1 to 1024 characters.');
  const template: HeldTemplate = {
    id: store.nextId(),
    channel: 'messaging_app',
    name,
    language,
    category: textOf(category),
    judgement: judge({
      body: text,
      texts: JSON.stringify(components),
      category: textOf(category),
    }),
    status: 'PENDING',
    reason: null,
    pauses: 0,
  };
  store.templates.set(key, template);
  life.begin(template);
  return { status: 200, body: { id: template.id, status: 'PENDING', category } };
}

function deleteFromPlatform(store: Store, query: URLSearchParams): Answer {
  const name = query.get('name') ?? '';
  const id = query.get('hsm_id');
  const found = held(store, 'messaging_app').filter(
    template => template.name === name && (id === null || template.id === id),
  );
  if (found.length === 0) return refusal(400, '2593002', 'Message Template Not Found');
  for (const { language } of found) store.templates.delete(keyOf('messaging_app', name, language));
  return { status: 200, body: { success: true } };
}

/** Handles `/templates` and `/templates/{reference}`. */
export function registrarCall({ store, life }: Tools, asked: Asked): Answer {
  const { method, path, query, body } = asked;
  const [first, reference] = path;
  if (first !== 'templates') return refusal(404, 'NOT_FOUND', 'This path does not exist.');
  if (method === 'DELETE') {
    const isThere = store.templates.delete(keyOf('sms', decodeURIComponent(reference ?? ''), ''));
    return isThere
      ? { status: 200, body: {} }
      : refusal(404, 'NOT_FOUND', 'No template has this reference.');
  }
  if (method === 'POST') {
    const [name, text] = [textOf(body.reference), textOf(body.text)];
    if (name === '' || text === '')
      return refusal(400, 'INVALID', '`reference` and `text` are required.');
    if (store.templates.has(keyOf('sms', name, '')))
      return refusal(409, 'ALREADY_REGISTERED', 'A template with this reference already exists.');
    const template: HeldTemplate = {
      id: store.nextId(),
      channel: 'sms',
      name,
      language: textOf(body.language),
      category: textOf(body.category),
      judgement: judge({ body: text, texts: text, category: '' }),
      status: 'PENDING',
      reason: null,
      pauses: 0,
    };
    store.templates.set(keyOf('sms', name, ''), template);
    life.begin(template);
    return { status: 200, body: registered(template) };
  }
  const wanted = query.get('reference');
  const all = held(store, 'sms').filter(({ name }) => wanted === null || name === wanted);
  const { items, next } = page(all, query, 'cursor');
  return { status: 200, body: { items: items.map(registered), next_cursor: next ?? null } };
}

function registered({ id, name, status, reason }: HeldTemplate) {
  return { template_id: id, reference: name, status, reason };
}

function held({ templates }: Store, channel: HeldTemplate['channel']): HeldTemplate[] {
  return [...templates.values()].filter(template => template.channel === channel);
}

function page(all: readonly HeldTemplate[], query: URLSearchParams, cursor: string) {
  const from = Number(query.get(cursor) ?? 0) || 0;
  const to = from + (Number(query.get('limit')) || PAGE_SIZE);
  return { items: all.slice(from, to), next: to < all.length ? String(to) : undefined };
}

/** The error format of the platform, which the registrar shares. */
export function refusal(status: number, code: string, message: string): Answer {
  const isNumber = /^\d+$/.test(code);
  const error = {
    message,
    type: 'OAuthException',
    code: isNumber ? 100 : code,
    ...(isNumber && { error_subcode: Number(code), error_user_msg: message }),
  };
  return { status, body: { error } };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
