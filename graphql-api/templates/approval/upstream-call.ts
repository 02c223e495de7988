import { type ExactJson, field, readExact, textField } from '../../platform/exact-json.ts';
import type { ApprovalAnswer, ApprovalFault } from './approver.ts';
import { upstreamText } from './upstream-text.ts';

export type UpstreamRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly accessToken: string;
  readonly body?: unknown;
};

/** A template is created in about a second; nobody waits for it but a job. */
const TIMEOUT_MS = 15_000;
/** A page of a hundred templates, each with the few fields that are asked for. */
const ANSWER_BYTES_MAX = 2_000_000;
const MESSAGE_CHARACTERS_MAX = 300;

/** One attempt. Only a connection that never stood, and a refusal in the approver's own words, are
 * certain to have done nothing. */
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

/** Never taken for an empty one: what it lacks would be missing. */
export const NO_LIST = faultOf('UNKNOWN', 'no_list', 'The answer is no list.');

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('an answer of the approver is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `{"error": {"message", "type", "code", "error_subcode", "error_user_msg"}}` */
function faultOfAnswer(status: number, answer: ExactJson | undefined): ApprovalFault {
  const error = field(answer, 'error');
  const code = textField(error, 'error_subcode') ?? textField(error, 'code') ?? `http_${status}`;
  const said = upstreamText(error, 'error_user_msg') ?? upstreamText(error, 'message');
  const message = (said ?? `The approver answered ${status}.`)
    .slice(0, MESSAGE_CHARACTERS_MAX)
    .toWellFormed();
  return { kind: kindOf(status, error), code, message };
}

/** Of a call too many: of the app, of the account, of its templates; or as many templates as there may be. */
const BUSY_CODES: ReadonlySet<string> = new Set(['4', '80008', '130429', '131056', '2388019']);
/** A token that is over, or may not do this; an account that it doesn't see. */
const DENIED_CODES: ReadonlySet<string> = new Set(['3', '10', '190', '200', '33']);

function kindOf(status: number, error: ExactJson | undefined): ApprovalFault['kind'] {
  const codes = ['code', 'error_subcode'].map(name => textField(error, name) ?? '');
  if (status === 429 || codes.some(code => BUSY_CODES.has(code))) return 'BUSY';
  // A page of a proxy says nothing of what is behind it.
  if (status >= 500 || error === undefined) return 'UNKNOWN';
  const isDenied = status === 401 || status === 403 || codes.some(code => DENIED_CODES.has(code));
  return isDenied ? 'DENIED' : 'REFUSED';
}

const NOT_REACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function faultOfError(error: Error): ApprovalFault {
  if (error.name === 'TimeoutError')
    return { kind: 'UNKNOWN', code: 'timed_out', message: 'The approver did not answer in time.' };
  const { code = '' } = (error.cause ?? {}) as { readonly code?: string };
  if (NOT_REACHED.has(code))
    return { kind: 'AWAY', code: 'not_reached', message: 'The approver was not reached.' };
  const message = 'The connection to the approver broke.';
  return { kind: 'UNKNOWN', code: 'connection_lost', message };
}
