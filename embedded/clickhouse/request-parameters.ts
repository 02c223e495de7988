// The parameters of a request in its URL and headers: the statement or its beginning, the query's
// ID, the database, values of {name:Type}, and settings. Every other parameter is a setting.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { acceptedEncoding, type ContentEncoding } from './content-encoding.ts';
import { exception } from './exception.ts';
import { isFormatName } from './formats.ts';
import { HELD_ANSWER_BYTES, HELD_WHOLE_ANSWER_BYTES } from './limits.ts';
import { type Credentials, credentialsOf } from './logins/credentials.ts';
import type { BlockMethod } from './native-blocks/blocks.ts';
import type { Scope } from './scope.ts';
import type { SessionRequest } from './sessions.ts';

export type RequestParameters = {
  readonly queryId: string;
  readonly credentials: Credentials;
  readonly query: string;
  readonly defaultFormat: string;
  readonly scope: Scope;
  readonly encoding: ContentEncoding | undefined;
  /** The response is sent in ClickHouse's own compressed blocks. */
  readonly blocks: BlockMethod | undefined;
  /** The revision of the Native format that the client reads; 0 is the oldest. */
  readonly revision: number;
  readonly session: SessionRequest | undefined;
  readonly heldBytesMax: number;
};

/** Known to ClickHouse's HTTP interface and ignored here. */
const IGNORED = new Set('quota_key role stacktrace buffer_size http_method decompress'.split(' '));

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
  refuseUnprintable(known.get('query_id'));

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
    credentials: credentialsOf(request, known),
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
    blocks: isOn(known.get('compress'))
      ? blockMethod(settings.get('network_compression_method'))
      : undefined,
    revision: Number(known.get('client_protocol_version')) || 0,
    session: sessionOf(known),
    heldBytesMax: isOn(known.get('wait_end_of_query'))
      ? HELD_WHOLE_ANSWER_BYTES
      : HELD_ANSWER_BYTES,
  };
}

/** The body of the request is in ClickHouse's own compressed blocks. */
export function isInBlocks(url: URL): boolean {
  return isOn(url.searchParams.get('decompress') ?? undefined);
}

function blockMethod(method: string | undefined): BlockMethod {
  const name = method?.toUpperCase();
  return name === 'ZSTD' || name === 'NONE' ? name : 'LZ4';
}

function sessionOf(known: ReadonlyMap<string, string>): SessionRequest | undefined {
  const id = known.get('session_id');
  if (!id) return undefined;
  return {
    id,
    timeout: known.get('session_timeout'),
    isCheck: isOn(known.get('session_check')),
    isLast: isOn(known.get('close_session')),
  };
}

/** The ID is returned in a header of the response. */
function refuseUnprintable(queryId: string | undefined): void {
  if (!/^[\x20-\x7e\x80-\xff]*$/.test(queryId ?? ''))
    throw exception('BAD_ARGUMENTS', 'query_id may contain only printable Latin-1 characters');
}

/** Decoding would silently replace such bytes by U+FFFD. */
function refuseBrokenText(search: string): void {
  for (const [escaped] of search.matchAll(/(?:%[0-9a-f]{2})+/gi))
    if (!isUtf8(Buffer.from(escaped.replaceAll('%', ''), 'hex')))
      throw exception('BAD_ARGUMENTS', 'The URL contains bytes that are not valid UTF-8');
}

const KNOWN = new Set([
  'user',
  'password',
  'query',
  'query_id',
  'database',
  'default_format',
  'compress',
  'client_protocol_version',
  'session_id',
  'session_timeout',
  'session_check',
  'close_session',
  'wait_end_of_query',
]);

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
