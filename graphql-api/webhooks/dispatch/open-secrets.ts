import type { Secrets } from '../../../schema/values/sealing.ts';
import { webhookSecretPlace } from '../signature.ts';
import type { ClaimedEndpoint } from './claim-deliveries.ts';
import type { OpenedEndpoint } from './dispatcher.ts';

/** Returns undefined if the endpoint has no secret or the key that sealed one is not configured. */
export function openSecrets(
  secrets: Secrets,
  { id, url, secrets: sealed }: ClaimedEndpoint,
): OpenedEndpoint | undefined {
  try {
    const opened = sealed.map(one => secrets.open(webhookSecretPlace(id), one));
    return opened.length === 0 ? undefined : { id, url, secrets: opened };
  } catch {
    // The row names the missing key; the cipher's error adds nothing.
    return undefined;
  }
}
