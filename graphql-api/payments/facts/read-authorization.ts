import type { GatewayObject } from '../../../schema/gateway/gateway-json.ts';
import { objectAt } from '../../../schema/gateway/gateway-json.ts';
import { wordAt } from './read-values.ts';

const NAMES = ['authorization_details', 'authorisation_details', 'authorizationDetails'];

/** How a mandate was given: named differently in webhooks, answers and versions. Empty where unsaid. */
export function authorizationOf(data: GatewayObject): GatewayObject {
  const found = NAMES.map(name => objectAt(data, name));
  return found.find(object => Object.keys(object).length > 0) ?? {};
}

/** A group; in the oldest version the method itself is a word. */
export function methodOf(authorization: GatewayObject): string | undefined {
  return wordAt(authorization, 'payment_group', 'paymentGroup', 'payment_method', 'paymentMethod');
}
