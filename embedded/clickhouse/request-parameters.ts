// The parameters of a request in its URL and headers: the statement or its beginning, the query's
// id, the database, values of {name:Type}, and settings. Every other parameter is a setting.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { acceptedEncoding, type ContentEncoding } from './content-encoding.ts';
import type { Scope } from './engine.ts';
import { exception } from './exception.ts';
import { isFormatName } from './formats.ts';
import { HELD_ANSWER_BYTES, HELD_WHOLE_ANSWER_BYTES } from './limits.ts';

export type RequestParameters = {
  readonly queryId: string;
  readonly query: string;
  readonly defaultFormat: string;
  readonly scope: Scope;
  readonly encoding: ContentEncoding | undefined;
  readonly heldBytesMax: number;
};

/** Known to ClickHouse's HTTP interface and ignored here, because there are no users. */
const IGNORED = new Set(
  (
    'user password quota_key role session_timeout session_check stacktrace buffer_size ' +
    'client_protocol_version http_method close_session'
  ).split(' '),
);

/** `fields` are the parts of a multipart body; they count like parameters of the URL. */
export function requestParameters(
  request: IncomingMessage,
  url: URL,
  fields: Iterable<readonly [string, string]> = [],
): RequestParameters {
  refuseBrokenText(url.search);
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  const known = new Map<string, string>();
  for (const [name, value] of [...url.searchParams, ...fields]) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (KNOWN.has(name)) known.set(name, value);
    else if (!IGNORED.has(name)) settings.set(name, value);
  }
  refuseUnsupported(known);

  const queryId = known.get('query_id') || randomUUID();
  if (!settings.has('log_comment')) settings.set('log_comment', queryId);
  // As in ClickHouse, a GET can change only settings.
  if (request.method === 'GET' && !isOn(settings.get('readonly'))) settings.set('readonly', '2');
  const defaultFormat =
    known.get('default_format') || header(request, 'x-clickhouse-format') || 'TabSeparated';
  if (!isFormatName(defaultFormat))
    throw exception('UNKNOWN_FORMAT', `Unknown format ${defaultFormat}`);
  return {
    queryId,
    query: (known.get('query') ?? '').trim(),
    defaultFormat,
    scope: {
      settings,
      parameters,
      database: known.get('database') || header(request, 'x-clickhouse-database'),
    },
    encoding: isOn(settings.get('enable_http_compression'))
      ? acceptedEncoding(request.headers['accept-encoding'])
      : undefined,
    heldBytesMax: isOn(known.get('wait_end_of_query'))
      ? HELD_WHOLE_ANSWER_BYTES
      : HELD_ANSWER_BYTES,
  };
}

/**
 * Parameters that change the meaning of a request and are not supported are rejected, not ignored.
 */
function refuseUnsupported(known: ReadonlyMap<string, string>): void {
  if (isOn(known.get('compress')))
    throw exception('NOT_IMPLEMENTED', 'compress=1 is not supported; use enable_http_compression');
  if (isOn(known.get('decompress')))
    throw exception('NOT_IMPLEMENTED', 'decompress=1 is not supported; use Content-Encoding');
  if (known.get('session_id')) throw exception('NOT_IMPLEMENTED', 'Sessions are not supported');
  // The id is returned in a header of the response.
  if (!/^[\x20-\x7e\x80-\xff]*$/.test(known.get('query_id') ?? ''))
    throw exception('BAD_ARGUMENTS', 'query_id may hold printable Latin-1 characters only');
}

/** Decoding would silently replace such bytes by U+FFFD. */
function refuseBrokenText(search: string): void {
  for (const [escaped] of search.matchAll(/(?:%[0-9a-f]{2})+/gi))
    if (!isUtf8(Buffer.from(escaped.replaceAll('%', ''), 'hex')))
      throw exception('BAD_ARGUMENTS', 'The URL contains bytes that are not valid UTF-8');
}

const KNOWN = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'compress',
  'decompress',
  'session_id',
  'wait_end_of_query',
]);

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
