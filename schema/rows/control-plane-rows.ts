// Rows that the control plane creates: the tables that accept them, the validation of a row, and
// its encoding for the spool. Both programs use the same validation, so ingest does not reject a
// row that has already left Postgres.

import { parseInstant } from '../values/instant.ts';
import { isUuid } from '../values/uuid.ts';
import { uuidToRowBinary } from '../values/uuid-bytes.ts';
import { ACTIVITY_CARDS_RAW } from './activity-cards-raw.ts';
import { DELIVERIES_RAW } from './deliveries-raw.ts';
import type { RowWriter } from './row-writer.ts';
import { SEND_AUDITS_RAW } from './send-audits-raw.ts';
import type { Column, Table } from './table.ts';

/** Values by column: strings, integers and ISO 8601 times. Omitted values are empty or zero. */
export type RowValues = Readonly<Record<string, unknown>>;

export type ControlPlaneTable = {
  readonly table: Table;
  /** The required columns, in particular the identity, by which repeats are deduplicated. */
  readonly required: readonly string[];
};

/** Tables by name. A table in this list must not be partitioned by a value of its rows. */
export const CONTROL_PLANE_TABLES: ReadonlyMap<string, ControlPlaneTable> = new Map(
  [
    {
      table: DELIVERIES_RAW,
      required: ['channel', 'delivery_id', 'status', 'rank', 'event_type', 'received_at'],
    },
    { table: ACTIVITY_CARDS_RAW, required: ['card_id', 'kind', 'received_at'] },
    {
      table: SEND_AUDITS_RAW,
      required: ['send_id', 'template_id', 'version_id', 'reason', 'sent_at', 'received_at'],
    },
  ].map(entry => [entry.table.name, entry]),
);

/** The maximum per request to ingest, whose body is limited to 500 KB. */
export const ROWS_MAX = 500;
/** The maximum size of one row as JSON, so that any row fits into a request. */
export const ROW_BYTES_MAX = 256 * 1024;

/** Columns filled from the workspace of the request and by the spool. */
const NOT_FROM_ROW = new Set(['workspace_id', 'batch_id', 'batch_row']);

/** Describes what is wrong with a row, for the developer of the code that created it. */
export function rowFault(
  { table, required }: ControlPlaneTable,
  values: RowValues,
): string | undefined {
  const columns = columnsFromRow(table);
  for (const [name, value] of Object.entries(values)) {
    const column = columns.find(known => known.name === name);
    if (column === undefined)
      return `${name} is not a column of ${table.name} that the control plane can set.`;
    if (!isOfType(value, column)) return `${name} must be ${EXPECTED[column.type]}.`;
  }
  const missing = required.find(name => values[name] === undefined || values[name] === '');
  if (missing !== undefined) return `${missing} is missing.`;
  const bytes = Buffer.byteLength(JSON.stringify(values));
  return bytes > ROW_BYTES_MAX ? `The row is larger than ${ROW_BYTES_MAX} bytes.` : undefined;
}

/** Encodes all columns except the spool's two. Precondition: `rowFault` returned undefined. */
export function encodeRowValues(
  writer: RowWriter,
  table: Table,
  workspaceIdBytes: Uint8Array,
  values: RowValues,
): void {
  for (const { name, type } of table.columns) {
    if (name === 'workspace_id') writer.uuid(workspaceIdBytes);
    else if (!NOT_FROM_ROW.has(name)) encodeValue(writer, type, values[name]);
  }
}

function encodeValue(writer: RowWriter, type: Column['type'], value: unknown): void {
  switch (type) {
    case 'UUID':
      writer.uuid(value === undefined ? NO_UUID : uuidToRowBinary(value as string));
      return;
    case 'String':
      writer.text((value as string | undefined) ?? '');
      return;
    case 'UInt16':
      writer.uint16((value as number | undefined) ?? 0);
      return;
    case 'UInt32':
      writer.uint32((value as number | undefined) ?? 0);
      return;
    case "DateTime64(3, 'UTC')":
      writer.instantMs(value === undefined ? 0 : parseInstant(value as string)!.ms);
      return;
  }
}

const NO_UUID = new Uint8Array(16);

const EXPECTED: Readonly<Record<Column['type'], string>> = {
  UUID: 'a UUID',
  String: 'a string without NUL characters or lone surrogates',
  UInt16: 'a whole number from 0 to 65535',
  UInt32: 'a whole number from 0 to 4294967295',
  "DateTime64(3, 'UTC')": 'an ISO 8601 time',
};

function columnsFromRow(table: Table): readonly Column[] {
  return table.columns.filter(({ name }) => !NOT_FROM_ROW.has(name));
}

function isOfType(value: unknown, { type }: Column): boolean {
  switch (type) {
    case 'UUID':
      return typeof value === 'string' && isUuid(value);
    case 'String':
      // Rows wait in Postgres, which rejects NUL in JSON. UTF-8 cannot encode lone surrogates.
      return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
    case 'UInt16':
      return isWholeNumber(value, 0xffff);
    case 'UInt32':
      return isWholeNumber(value, 0xffff_ffff);
    case "DateTime64(3, 'UTC')":
      return typeof value === 'string' && parseInstant(value) !== undefined;
  }
}

function isWholeNumber(value: unknown, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}
