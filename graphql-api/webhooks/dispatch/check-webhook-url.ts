import { type Problem, problem } from '../../../schema/values/problem.ts';
import type { AddressOptions } from './address.ts';
import { AddressRefused, allowedAddresses, createResolve, type Resolve } from './resolve-host.ts';
import { readWebhookUrl } from './url.ts';

export type CheckUrlOptions = AddressOptions & {
  readonly resolve?: Resolve;
};

/**
 * Checks the URL of an endpoint that is being saved, including its DNS name. This check only
 * catches mistakes. Webhooks are kept off our network by the same check on every connection.
 */
export async function checkWebhookUrl(
  url: string,
  { resolve = createResolve(), ...options }: CheckUrlOptions,
): Promise<Problem | undefined> {
  const read = readWebhookUrl(url, options);
  if (!read.isOk) return problem('WEBHOOK_URL_REFUSED', read.fault);
  try {
    await allowedAddresses(read.target, resolve, options);
    return undefined;
  } catch (error) {
    return problem(
      'WEBHOOK_URL_REFUSED',
      error instanceof AddressRefused
        ? 'The host must be on the public internet.'
        : 'The name of the host does not resolve to an address.',
    );
  }
}
