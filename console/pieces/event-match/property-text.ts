// A value of an event as people type it: "plan" and "cart.currency" are in its properties,
// "context.os.name" is in its context, and "User ID" is a column.

export type EventColumn = keyof typeof COLUMNS;

/** One of these, as the API takes it. */
export type PropertyRef = {
  readonly column?: EventColumn;
  readonly properties?: string[];
  readonly context?: string[];
};

const COLUMNS = {
  NAME: 'Page or screen',
  EVENT: 'Event',
  TYPE: 'Event type',
  USER_ID: 'User ID',
  ANONYMOUS_ID: 'Anonymous ID',
  SESSION_ID: 'Session ID',
  PROPERTY_ID: 'Site or app',
  SDK_KEY_ID: 'SDK key',
} as const;

export const COLUMN_NAMES: readonly string[] = Object.values(COLUMNS);

/** A dot that is part of a key has a backslash before it. */
const BETWEEN_KEYS = /(?<!\\)\./;
/** For a property that would be read as something else. */
const PROPERTIES = 'properties';
const CONTEXT = 'context';

/** Undefined if it is not the name of a value. */
export function propertyOf(text: string): PropertyRef | undefined {
  const trimmed = text.trim();
  const column = Object.entries(COLUMNS).find(([, name]) => name === trimmed)?.[0];
  if (column !== undefined) return { column: column as EventColumn };
  const [first, ...rest] = trimmed.split(BETWEEN_KEYS).map(key => key.replaceAll('\\.', '.'));
  if (first === undefined || first === '' || rest.includes('')) return undefined;
  if (rest.length > 0 && first === CONTEXT) return { context: rest };
  if (rest.length > 0 && first === PROPERTIES) return { properties: rest };
  return { properties: [first, ...rest] };
}

export function propertyText({ column, properties, context }: PropertyRef): string {
  if (column !== undefined) return COLUMNS[column];
  if (context !== undefined) return [CONTEXT, ...context.map(inText)].join('.');
  const text = (properties ?? []).map(inText).join('.');
  const isClear = propertyOf(text)?.properties?.length === properties?.length;
  return isClear ? text : `${PROPERTIES}.${text}`;
}

function inText(key: string): string {
  return key.replaceAll('.', '\\.');
}
