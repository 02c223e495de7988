import { type ExactJson, field, readExact, textField } from '../../../schema/values/exact-json.ts';
import { wasNotReached } from '../../platform/connection-error.ts';
import type { ApprovalAnswer, ApprovalFault, UpstreamPage, UpstreamTemplate } from './approver.ts';

type UpstreamRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly accessToken: string;
  readonly body?: unknown;
};

/** Creating a template takes about a second, and only a job waits for it. */
const TIMEOUT_MS = 15_000;
/** Enough for a page of a hundred templates with the few requested fields. */
const ANSWER_BYTES_MAX = 2_000_000;
const MESSAGE_CHARACTERS_MAX = 300;
/** Longer texts of an approver are cut, to bound the size of a row. */
const TEXT_CHARACTERS_MAX = 512;

/**
 * Makes a single attempt. Only a connection that was never established and a refusal by the
 * approver are certain to have had no effect.
 */
export async function callUpstream(request: UpstreamRequest): Promise<ApprovalAnswer<ExactJson>> {
  const { method, url, accessToken, body } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = readExact(await boundedText(response));
    if (response.ok && answer !== undefined) return { isOk: true, value: answer };
    return { isOk: false, fault: faultOfAnswer(response.status, answer) };
  } catch (error) {
    return { isOk: false, fault: faultOfError(error as Error) };
  }
}

export function faultOf(kind: ApprovalFault['kind'], code: string, message: string) {
  return { isOk: false, fault: { kind, code, message } } as const;
}

/** An unreadable list is never taken for an empty one: all submissions would count as missing. */
export const NO_LIST = faultOf('UNKNOWN', 'no_list', 'The response is not a list.');

/** The value is undefined if the list has no template with this name. */
export function findNamed(
  answer: ApprovalAnswer<UpstreamPage>,
  name: string,
): ApprovalAnswer<UpstreamTemplate | undefined> {
  if (!answer.isOk) return answer;
  return { isOk: true, value: answer.value.items.find(item => item.name === name) };
}

/** Returns a text that Postgres can store: without NUL and unpaired surrogates. */
export function upstreamText(
  json: ExactJson | undefined,
  name: string,
  charactersMax = TEXT_CHARACTERS_MAX,
): string | undefined {
  const text = textField(json, name);
  return text?.replaceAll('\u0000', '').slice(0, charactersMax).toWellFormed();
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the response of the approver is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `{"error": {"message", "type", "code", "error_subcode", "error_user_msg"}}` */
function faultOfAnswer(status: number, answer: ExactJson | undefined): ApprovalFault {
  const error = field(answer, 'error');
  const code = textField(error, 'error_subcode') ?? textField(error, 'code') ?? `http_${status}`;
  const said = upstreamText(error, 'error_user_msg') ?? upstreamText(error, 'message');
  const message = (said ?? `The approver responded with status ${status}.`)
    .slice(0, MESSAGE_CHARACTERS_MAX)
    .toWellFormed();
  return { kind: kindOf(status, error), code, message };
}

/** Rate limits of the app, the account and its templates; and the maximum number of templates. */
const BUSY_CODES: ReadonlySet<string> = new Set(['4', '80008', '130429', '131056', '2388019']);
/** An expired token, a missing permission, or an account that the token cannot access. */
const DENIED_CODES: ReadonlySet<string> = new Set(['3', '10', '190', '200', '33']);

function kindOf(status: number, error: ExactJson | undefined): ApprovalFault['kind'] {
  const codes = ['code', 'error_subcode'].map(name => textField(error, name) ?? '');
  if (status === 429 || codes.some(code => BUSY_CODES.has(code))) return 'BUSY';
  // The error page of a proxy says nothing about whether the call took effect.
  if (status >= 500 || error === undefined) return 'UNKNOWN';
  const isDenied = status === 401 || status === 403 || codes.some(code => DENIED_CODES.has(code));
  return isDenied ? 'DENIED' : 'REFUSED';
}

function faultOfError(error: Error): ApprovalFault {
  if (error.name === 'TimeoutError')
    return { kind: 'UNKNOWN', code: 'timed_out', message: 'The approver did not respond in time.' };
  if (wasNotReached(error))
    return { kind: 'AWAY', code: 'not_reached', message: 'The approver could not be reached.' };
  const message = 'The connection to the approver was lost.';
  return { kind: 'UNKNOWN', code: 'connection_lost', message };
}
