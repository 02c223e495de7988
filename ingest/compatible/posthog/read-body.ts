// Reads the body of a request of PostHog's clients: an event, an array of events or a batch, as JSON,
// as gzip without a Content-Encoding, or as base64 in a form.

import { type Problem, problem } from '../../../schema/values/problem.ts';
import { type ParsedObject, parseObject } from '../../accept/parse-object.ts';
import { decompress } from '../../http/decompress.ts';
import type { Incoming } from '../../http/incoming.ts';
import { BODY_BYTES_MAX } from '../../limits.ts';
import { isObject } from '../json-values.ts';
import { isForm, plainBody, writeKeyOf } from '../read-request.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);
const FORM = Buffer.from('data=');

export async function readBody(incoming: Incoming, bytes: Buffer): Promise<ParsedObject | Problem> {
  const plain = await plainBody(incoming, bytes);
  if ('code' in plain) return plain;
  const isGzip = plain.subarray(0, GZIP.length).equals(GZIP);
  const body = isGzip ? await decompress(plain, 'gzip') : plain;
  if ('code' in body) return body;
  const isInForm = isForm(incoming.contentType) && body.subarray(0, FORM.length).equals(FORM);
  const json = isInForm ? dataOf(body) : body;
  if (!/^\s*\[/.test(json.toString('latin1', 0, SPACE_BYTES_MAX))) return parseObject(json);
  const wrapped = Buffer.concat([BEFORE, json, AFTER]);
  return wrapped.length > BODY_BYTES_MAX ? problem('PAYLOAD_TOO_LARGE') : parseObject(wrapped);
}

/** The maximum whitespace before the JSON. No client sends any. */
const SPACE_BYTES_MAX = 64;
const BEFORE = Buffer.from('{"batch":');
const AFTER = Buffer.from('}');

/** A plus sign that was not escaped arrives as a space. */
function dataOf(form: Buffer): Buffer {
  const data = new URLSearchParams(form.toString('utf8')).get('data') ?? '';
  if (/^\s*[[{]/.test(data)) return Buffer.from(data);
  return Buffer.from(data.replaceAll(' ', '+'), 'base64');
}

/** The key is in the body, in its first event, or among that event's properties. */
export function keyOf(incoming: Incoming, value: ParsedObject['value']): string {
  const first: unknown = Array.isArray(value.batch) ? value.batch[0] : value;
  const holders = [value, first, isObject(first) ? first.properties : undefined];
  const keys = holders.flatMap(holder => (isObject(holder) ? [holder.api_key, holder.token] : []));
  return writeKeyOf(incoming, {
    writeKey: keys.find(key => typeof key === 'string' && key !== ''),
  });
}
