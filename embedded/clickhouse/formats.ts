/** The Content-Type of ClickHouse's responses by format. */
export function contentType(format: string): string {
  return (
    CONTENT_TYPES.find(([pattern]) => pattern.test(format))?.[1] ?? 'text/plain; charset=UTF-8'
  );
}

const CONTENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^JSONObjectEachRow$/i, 'application/json; charset=UTF-8'],
  [/^JSON\w*EachRow/i, 'application/x-ndjson; charset=UTF-8'],
  [/^(JSONLines|NDJSON)$/i, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/i, 'application/json; charset=UTF-8'],
  [/^CSVWithNames/i, 'text/csv; charset=UTF-8; header=present'],
  [/^CSV/i, 'text/csv; charset=UTF-8; header=absent'],
  [/^(TabSeparated|TSV|Raw)/i, 'text/tab-separated-values; charset=UTF-8'],
  [
    /^(RowBinary|Native|Parquet|Arrow|ORC|Avro|MsgPack|Protobuf|CapnProto|BSON|Npy|RawBLOB)/i,
    'application/octet-stream',
  ],
  [/^XML$/i, 'application/xml; charset=UTF-8'],
  [/^Markdown$/i, 'text/markdown; charset=UTF-8'],
];

/** Names are inserted into statements, so no other characters may pass. */
export function isFormatName(name: string): boolean {
  return /^[A-Za-z0-9_]+$/.test(name);
}
