// From a host's name to the addresses that webhooks may go to. The connection is made to an address
// that was looked at here, never to a name: what a name resolves to may be another thing each time.

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressOptions, isRefusedAddress } from './address.ts';
import { isLocalhost } from './url.ts';

/** All addresses of a name, of both kinds; throws where there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export class AddressRefused extends Error {
  constructor() {
    // Which address it is says something about our network, or of whoever's name it is.
    super('the host has an address that is not on the public internet');
    this.name = 'AddressRefused';
  }
}

const ASK_TIMEOUT_MS = 1_500;
const TRIES = 2;

/** Not the system's way of looking up, whose few threads one slow name would hold for all. */
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

/** Throws AddressRefused where one of them is refused: who has both has something in mind. */
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
