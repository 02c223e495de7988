import type { GatewayObject } from '../../../schema/gateway/gateway-json.ts';
import { objectAt } from '../../../schema/gateway/gateway-json.ts';
import { wordAt } from './read-values.ts';

const NAMES = ['authorization_details', 'authorisation_details', 'authorizationDetails'];

/**
 * The authorization details of a mandate, whose name differs between webhooks, responses and
 * versions. Empty if there are none.
 */
export function authorizationOf(data: GatewayObject): GatewayObject {
  const found = NAMES.map(name => objectAt(data, name));
  return found.find(object => Object.keys(object).length > 0) ?? {};
}

/** The payment group. In the oldest version, the method itself is a string. */
export function methodOf(authorization: GatewayObject): string | undefined {
  return wordAt(authorization, 'payment_group', 'paymentGroup', 'payment_method', 'paymentMethod');
}
