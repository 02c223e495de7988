// The correction of a replay, as a list of changes to fields.

export const KINDS = {
  rename: 'Rename',
  drop: 'Remove',
  set: 'Set',
  fill: 'Set if missing',
} as const;
export type Kind = keyof typeof KINDS;

/** What a field is set to: a typed value, or one that differs from event to event. */
export const VALUES = {
  text: 'Text',
  json: 'JSON',
  received_at: 'Time received',
  sent_at: 'Time sent',
  derived: 'New ID for each event',
} as const;
export type Value = keyof typeof VALUES;

export type Change = {
  readonly kind: Kind;
  readonly path: string;
  readonly value: Value;
  /** The new name, or the typed value. */
  readonly to: string;
};

export const NEW_CHANGE: Change = { kind: 'set', path: '', value: 'text', to: '' };

/** The limits of the API. */
export const CHANGES_MAX = 20;
const PATH = /^[^.]+(\.[^.]+){0,4}$/;
const PATH_LENGTH_MAX = 512;
const NAME_LENGTH_MAX = 256;

export type ChangeFaults = { readonly path?: string; readonly to?: string };

export function faultsOf({ kind, path, value, to }: Change): ChangeFaults {
  const isPath = path.length <= PATH_LENGTH_MAX && PATH.test(path);
  const isName = to !== '' && to.length <= NAME_LENGTH_MAX;
  const isSet = kind === 'set' || kind === 'fill';
  return {
    ...(!isPath && { path: 'Enter a field, such as userId or properties.total.' }),
    ...(kind === 'rename' && !isName && { to: 'Enter the new name.' }),
    ...(isSet && value === 'json' && !isJson(to) && { to: 'Enter JSON, such as 49.9 or true.' }),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Only for changes without faults. */
export function correctionOf(changes: readonly Change[]) {
  const of = (kind: Kind) => changes.filter(change => change.kind === kind);
  const values = (kind: Kind) =>
    Object.fromEntries(of(kind).map(change => [change.path, writtenValue(change)]));
  return {
    rename: Object.fromEntries(of('rename').map(({ path, to }) => [path, to])),
    drop: of('drop').map(({ path }) => path),
    set: values('set'),
    fill: values('fill'),
  };
}

/** Text that starts with @ would be a placeholder, unless the @ is doubled. */
function writtenValue({ value, to }: Change): unknown {
  if (value !== 'text' && value !== 'json') return `@${value}`;
  const typed: unknown = value === 'json' ? JSON.parse(to) : to;
  return typeof typed === 'string' && typed.startsWith('@') ? `@${typed}` : typed;
}

/** The changes of a stored correction. */
export function changesOf(correction: unknown): Change[] {
  const { rename, drop, set, fill } = correction as Partial<ReturnType<typeof correctionOf>>;
  const values = (kind: Kind, given: Readonly<Record<string, unknown>> = {}) =>
    Object.entries(given).map(([path, value]): Change => ({ kind, path, ...typedOf(value) }));
  return [
    ...values('rename', rename),
    ...(drop ?? []).map((path): Change => ({ ...NEW_CHANGE, kind: 'drop', path })),
    ...values('set', set),
    ...values('fill', fill),
  ];
}

function typedOf(value: unknown): Pick<Change, 'value' | 'to'> {
  if (typeof value !== 'string') return { value: 'json', to: JSON.stringify(value) };
  const name = value.slice(1);
  if (value.startsWith('@') && Object.hasOwn(VALUES, name)) return { value: name as Value, to: '' };
  return { value: 'text', to: value.startsWith('@@') ? name : value };
}

const PLACEHOLDERS: Partial<Record<Value, string>> = {
  received_at: 'the time received',
  sent_at: 'the time sent',
  derived: 'a new ID for each event',
};

/** For the button that adds it: its value may still have to be chosen. */
export function offerInWords(change: Change): string {
  return change.kind === 'fill' ? `${KINDS.fill} · ${change.path}` : changeInWords(change);
}

export function changeInWords({ kind, path, value, to }: Change): string {
  if (kind === 'rename') return `Rename ${path} to ${to}`;
  if (kind === 'drop') return `Remove ${path}`;
  const written = PLACEHOLDERS[value] ?? (value === 'json' ? to : `“${to}”`);
  return `Set ${path} to ${written}${kind === 'fill' ? ' if it is missing' : ''}`;
}
