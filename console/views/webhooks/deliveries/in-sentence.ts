import { inCount } from '../../../pieces/in-words.ts';
import type { Attempt } from './deliveries-query.ts';

type Result = Pick<Attempt, 'outcome' | 'status' | 'reason'>;

/** The outcome of an attempt in a sentence, such as "Your server responded with 500." */
export function inSentence({ outcome, status, reason }: Result): string {
  switch (outcome) {
    case 'DELIVERED':
    case 'REFUSED':
      return `Your server responded with ${status}.`;
    case 'REDIRECTED':
      return `Your server responded with ${status}, a redirect. Redirects are not followed.`;
    case 'GONE':
      return 'Your server responded with 410 (Gone), so the endpoint was disabled.';
    case 'TIMED_OUT':
      return timedOut(reason);
    case 'CONNECTION_FAILED':
      return notConnected(reason);
    case 'TLS_FAILED':
      return `The certificate of your server is not valid, or it does not support TLS${inBrackets(codeOf(reason))}.`;
    case 'ADDRESS_REFUSED':
      return `Webhooks are not sent to this address: ${reason.replace(/\.$/, '')}.`;
    case 'INTERRUPTED':
      return 'Sending was interrupted before a response arrived, so the outcome is unknown.';
  }
}

const TIME = /^no (connection|response) within (\d+) s$/;

function timedOut(reason: string): string {
  const [, what, seconds] = TIME.exec(reason) ?? [];
  if (seconds === undefined) return 'Your server did not respond in time.';
  const verb = what === 'connection' ? 'accept a connection' : 'respond';
  const count = Number(seconds);
  return `Your server did not ${verb} within ${inCount(count)} ${count === 1 ? 'second' : 'seconds'}.`;
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Your server refused the connection',
  ENOTFOUND: 'The host name of the URL was not found',
  ENODATA: 'The host name of the URL was not found',
};

function notConnected(reason: string): string {
  const code = codeOf(reason);
  const fault = reason.startsWith('the connection closed before a response')
    ? 'Your server closed the connection before responding'
    : (FAULTS[code ?? ''] ?? 'The connection to your server failed');
  return `${fault}${inBrackets(code)}.`;
}

/** The code at the end of the reason. */
function codeOf(reason: string): string | undefined {
  return /: ([A-Z][A-Z0-9_]+)$/.exec(reason)?.[1];
}

function inBrackets(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}
