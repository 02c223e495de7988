// Converts values between our format and the gateway's. The gateway uses decimal amounts in main
// units; we use integers in the smallest unit.

import { gatewayTimeMs } from '../../../schema/gateway/gateway-time.ts';
import {
  Decimal,
  type ExactJson,
  textField,
  type WritableJson,
} from '../../../schema/values/exact-json.ts';
import { decimalOf, isAmount, minorOf } from '../../platform/money.ts';
import { reject } from '../../platform/rejected.ts';
import type { GatewayCustomer } from '../customer.contract.ts';
import { gatewayAmountMinor } from '../gateway-amount.ts';

export function decimalAmount(amountMinor: bigint, currencyCode: string): Decimal {
  return new Decimal(decimalOf({ amountMinor, currencyCode }));
}

/** Undefined members are omitted from a body. */
export function optionalAmount(amountMinor: bigint | null | undefined, currencyCode: string) {
  return amountMinor == null ? undefined : decimalAmount(amountMinor, currencyCode);
}

/** Where the gateway sends the customer afterwards. */
export function returnTo(url: string | null | undefined) {
  return url == null ? undefined : { return_url: url };
}

/** Parses an input amount into the smallest unit. */
export function amountMinorOf(amount: string, currency: string, fieldName = 'amount'): bigint {
  const minor = minorOf(amount, currency);
  if (minor === undefined || !isAmount(minor))
    return reject('BAD_USER_INPUT', {
      field: [fieldName],
      message: `${fieldName} must be greater than 0, with no more decimal places than ${currency} allows.`,
    });
  return minor;
}

/**
 * Whether the response contains this amount. API versions that omit the currency use the requested one.
 */
export function saysAmount(
  body: ExactJson,
  names: { readonly amount: string; readonly currency: string },
  { amountMinor, currency }: { readonly amountMinor: bigint; readonly currency: string },
): boolean {
  const said = textField(body, names.currency) ?? currency;
  return (
    said === currency && gatewayAmountMinor(textField(body, names.amount), said) === amountMinor
  );
}

export function timeOf(body: ExactJson, name: string): Date | undefined {
  const ms = gatewayTimeMs(textField(body, name));
  return ms === undefined ? undefined : new Date(ms);
}

export function customerOnWire({ phone, email, name }: GatewayCustomer) {
  return {
    customer_phone: phone,
    customer_email: email ?? undefined,
    customer_name: name ?? undefined,
  } satisfies Record<string, WritableJson | undefined>;
}
