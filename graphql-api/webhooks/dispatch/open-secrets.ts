import type { Secrets } from '../../../schema/values/sealing.ts';
import { webhookSecretPlace } from '../signature.ts';
import type { ClaimedEndpoint } from './claim-deliveries.ts';
import type { OpenedEndpoint } from './dispatcher.ts';

/** Undefined where one was sealed with a key that isn't configured, or there is none. */
export function openSecrets(
  secrets: Secrets,
  { id, url, secrets: sealed }: ClaimedEndpoint,
): OpenedEndpoint | undefined {
  try {
    const opened = sealed.map(one => secrets.open(webhookSecretPlace(id), one));
    return opened.length === 0 ? undefined : { id, url, secrets: opened };
  } catch {
    // Which key is missing is in the row; an error of the cipher says no more.
    return undefined;
  }
}
