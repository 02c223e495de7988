// Every table of ClickHouse: the columns that identify a person, and how an erasure treats its rows. A test
// fails for a table that is missing here. To add a table, add one line.

/** The scope of a retention rule: tables with the same kind of rows, under a name for clients. */
export type Dataset =
  | 'EVENTS'
  | 'REJECTED_EVENTS'
  | 'IN_APP_EVENTS'
  | 'IN_APP_RESPONSES'
  | 'DELIVERIES'
  | 'ACTIVITY_CARDS'
  | 'SEND_AUDITS';

type PersonColumns = {
  /** Columns with a user ID or contact ID. */
  readonly names: readonly string[];
  /** The column with an anonymous ID, which counts where no column above has a value. */
  readonly device?: string;
  /** A column of JSON text, and its keys with a user ID or contact ID, and with an anonymous ID. */
  readonly json?: {
    readonly column: string;
    readonly names: readonly string[];
    readonly devices: readonly string[];
  };
};

export type WarehouseTable = {
  readonly name: string;
  /** The sort key: rows with the same values are copies of one row, which ClickHouse merges. */
  readonly key: string;
  /** A condition on the rows of a person, with the parameters `names` and `devices`. */
  readonly isOfPerson: string;
  /** A condition on rows of a person that are also in another table, where they are counted. */
  readonly isCopy?: string;
  readonly columns?: PersonColumns;
  /** Retention compares this column. */
  readonly time: string;
  readonly dataset: Dataset;
};

const IDS_OF_BODIES = {
  names: ['userId', 'user_id', 'contactId', 'contact_id', 'previousId'],
  devices: ['anonymousId', 'anonymous_id'],
};

const EVENT_COLUMNS: PersonColumns = {
  names: ['user_id'],
  device: 'anonymous_id',
  // An alias event has the earlier ID of the person in this field.
  json: { column: 'extra', names: ['previousId'], devices: [] },
};
const EVENT_KEY = 'workspace_id, toDate(timestamp), event, message_id';
const REPORT_COLUMNS: PersonColumns = { names: ['user_id', 'contact_id'], device: 'anonymous_id' };

/** In the order of deletion: links are found by the deliveries that they belong to. */
export const WAREHOUSE_TABLES: readonly WarehouseTable[] = [
  {
    name: 'delivery_links_raw',
    key: 'workspace_id, delivery_id',
    isOfPerson: linkOf(ofPerson(REPORT_COLUMNS)),
    time: 'received_at',
    dataset: 'DELIVERIES',
  },
  table('events_raw', EVENT_KEY, EVENT_COLUMNS, 'timestamp', 'EVENTS'),
  {
    ...table('events_late', EVENT_KEY, EVENT_COLUMNS, 'timestamp', 'EVENTS'),
    isCopy: isInEventsRaw(ofPerson(EVENT_COLUMNS)),
  },
  table(
    'rejected_events_raw',
    'workspace_id, code, endpoint, body_hash',
    { names: [], json: { column: 'body', ...IDS_OF_BODIES } },
    'received_at',
    'REJECTED_EVENTS',
  ),
  table(
    'in_app_events_raw',
    "workspace_id, campaign_id, event_type, event_key, user_id, if(user_id = '', anonymous_id, '')",
    { names: ['user_id'], device: 'anonymous_id' },
    'received_at',
    'IN_APP_EVENTS',
  ),
  table(
    'in_app_responses_raw',
    "workspace_id, campaign_id, response_type, response_key, user_id, if(user_id = '', contact_id, '')",
    { names: ['user_id', 'contact_id'] },
    'received_at',
    'IN_APP_RESPONSES',
  ),
  table(
    'deliveries_raw',
    'workspace_id, channel, delivery_id',
    REPORT_COLUMNS,
    'received_at',
    'DELIVERIES',
  ),
  table(
    'activity_cards_raw',
    'workspace_id, user_id, card_id',
    REPORT_COLUMNS,
    'received_at',
    'ACTIVITY_CARDS',
  ),
  table(
    'send_audits_raw',
    'workspace_id, template_id, sent_at, send_id',
    { names: ['user_id', 'toString(contact_id)'] },
    'received_at',
    'SEND_AUDITS',
  ),
];

export function tablesOf(dataset: Dataset): readonly WarehouseTable[] {
  return WAREHOUSE_TABLES.filter(table => table.dataset === dataset);
}

/** Tables without data of people, with a description of their contents. */
export const IMPERSONAL_WAREHOUSE_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'the migrations that were applied',
  events_settling: 'the progress of settling events',
};

function table(
  name: string,
  key: string,
  columns: PersonColumns,
  time: string,
  dataset: Dataset,
): WarehouseTable {
  return { name, key, columns, isOfPerson: ofPerson(columns), time, dataset };
}

/** The expression for `personHash`. */
function hashOf(expression: string): string {
  return `lower(hex(SHA256(concat({workspaceId:String}, '\\n', ${expression}))))`;
}

function ofPerson({ names, device, json }: PersonColumns): string {
  const isNamed = names.map(column => `${hashOf(column)} IN {names:Array(String)}`);
  const hasNoName = names.map(column => `${column} = ''`);
  const isOnDevice =
    device === undefined
      ? []
      : [[`${hashOf(device)} IN {devices:Array(String)}`, ...hasNoName].join(' AND ')];
  return [...isNamed, ...isOnDevice, ...(json === undefined ? [] : insideJson(json))]
    .map(condition => `(${condition})`)
    .join(' OR ');
}

function insideJson({ column, names, devices }: NonNullable<PersonColumns['json']>): string[] {
  // The text of a value that is not a string, such as 42, is an ID as well.
  const valuesOf = (key: string) => [
    `JSONExtractString(${column}, '${key}')`,
    `JSONExtractRaw(${column}, '${key}')`,
  ];
  const isAny = (keys: readonly string[], hashes: string) =>
    keys
      .flatMap(valuesOf)
      .map(value => `${hashOf(value)} IN {${hashes}:Array(String)}`)
      .join(' OR ');
  const isNamed = `${column} != '' AND (${isAny(names, 'names')})`;
  if (devices.length === 0) return [isNamed];
  const hasNoName = names.map(key => `JSONExtractString(${column}, '${key}') = ''`).join(' AND ');
  return [isNamed, `(${isAny(devices, 'devices')}) AND ${hasNoName}`];
}

/** Ingest copies late events to `events_late`, and drops those in `events_raw` hours later. */
function isInEventsRaw(isEventOfPerson: string): string {
  const keysIn = (table: string) => `SELECT ${EVENT_KEY} FROM ${table}
    WHERE workspace_id = {workspaceId:UUID} AND (${isEventOfPerson})`;
  return `(${EVENT_KEY}) IN (${keysIn('events_raw')} AND (${EVENT_KEY}) IN (${keysIn('events_late')}))`;
}

function linkOf(isDeliveryOfPerson: string): string {
  const theirs = `(SELECT delivery_id FROM deliveries_raw
    WHERE workspace_id = {workspaceId:UUID} AND (${isDeliveryOfPerson}))`;
  return `delivery_id IN ${theirs} OR person_delivery_id IN ${theirs}`;
}
