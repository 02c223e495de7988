// Resolves a host name to addresses that webhooks may be sent to. The connection uses an address
// that was checked, never the name, because a name may resolve differently each time.

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Problem, problem } from '../../../schema/values/problem.ts';
import { type AddressOptions, isRefusedAddress } from './address.ts';
import { isLocalhost, readWebhookUrl } from './url.ts';

/** Returns all v4 and v6 addresses of a name. Throws if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export class AddressRefused extends Error {
  constructor() {
    // The message omits the address, which would reveal something about a network.
    super('the host has an address that is not on the public internet');
    this.name = 'AddressRefused';
  }
}

const ASK_TIMEOUT_MS = 1_500;
const TRIES = 2;

/** Uses c-ares: the system resolver has few threads, which one slow name would block for all. */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: ASK_TIMEOUT_MS, tries: TRIES });
  return async hostname => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = [v4, v6].flatMap(asked => (asked.status === 'fulfilled' ? asked.value : []));
    if (addresses.length === 0) throw (v4 as PromiseRejectedResult).reason;
    return addresses;
  };
}

/** Throws AddressRefused if any address is refused: a mixed result suggests an attack. */
export async function allowedAddresses(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  resolve: Resolve,
  options: AddressOptions,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  if (addresses.some(address => isRefusedAddress(address, port, options)))
    throw new AddressRefused();
  return addresses;
}

/**
 * Checks the URL of an endpoint that is being saved, including its DNS name. This check only
 * catches mistakes. Webhooks are kept off our network by the same check on every connection.
 */
export async function checkWebhookUrl(
  url: string,
  { resolve = createResolve(), ...options }: AddressOptions & { readonly resolve?: Resolve },
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
        : 'The host name does not resolve to an address.',
    );
  }
}
