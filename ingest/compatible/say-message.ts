import type { Reply } from '../http/reply.ts';

/**
 * Other vendors' clients read the reason of an error from `message`. Without it, some report a
 * failure of their own parser instead.
 */
export function sayMessage(reply: Reply): Reply {
  if (reply.status < 400 || typeof reply.body !== 'string' || reply.body === '') return reply;
  const body = JSON.parse(reply.body) as { readonly detail?: string };
  return { ...reply, body: JSON.stringify({ ...body, message: body.detail }) };
}
