import type { Problem } from '../../schema/values/problem.ts';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { checkWebhookUrl } from './dispatch/check-webhook-url.ts';

export type Address = {
  /** The normalized URL: the stored, displayed and checked URL is the one that is called. */
  readonly url: string;
  readonly problem: Problem | undefined;
};

export async function readAddress({ deps }: Context, text: string): Promise<Address> {
  const url = URL.parse(text)?.href ?? text;
  return { url, problem: await checkWebhookUrl(url, deps.config.webhookAddresses) };
}

/** Runs inside the transaction, so that a repeat under an idempotency key has the same result. */
export function requireAddress({ url, problem }: Address): string {
  if (problem === undefined) return url;
  return reject(problem.code, { field: ['url'], message: problem.message });
}
