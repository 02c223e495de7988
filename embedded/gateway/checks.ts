// Input checks, which respond with 400.

import { type ExactObject, objectField, textField } from '../../schema/values/exact-json.ts';
import { invalid } from './refusal.ts';
import type { Customer } from './store.ts';
import { paise } from './values.ts';

const CONTROL = /\p{Cc}/u;
const INDIAN_PHONE = /^(?:\d{10}|\+\d{8,15})$/;

export function idIn(given: ExactObject, name: string, pattern: RegExp): string {
  const id = textField(given, name);
  return id !== undefined && pattern.test(id) ? id : invalid(name, 'is missing or not valid');
}

export function amountIn(given: ExactObject, name: string, least = 1n): bigint {
  const amount = paise(textField(given, name));
  if (amount === undefined || amount < least)
    return invalid(
      name,
      'should be a decimal number with at most 2 decimal places and should not be too small',
    );
  return amount;
}

export function noteIn(given: ExactObject, name: string, max: number): string | undefined {
  const note = given[name];
  if (note === undefined || note === null) return undefined;
  if (typeof note !== 'string' || note === '' || note.length > max || CONTROL.test(note))
    return invalid(name, 'should not be empty, be too long or contain control characters');
  return note;
}

/** At most `max` pairs of non-empty strings. */
export function checkTags(given: ExactObject, name: string, max: number): void {
  const tags = Object.entries(objectField(given, name));
  if (tags.length > max) invalid(name, `should have at most ${max} entries`);
  for (const [, value] of tags) {
    if (typeof value !== 'string' || value === '' || CONTROL.test(value))
      invalid(name, 'should contain only non-empty strings without control characters');
  }
}

export function customerIn(given: ExactObject): Customer {
  const details = objectField(given, 'customer_details');
  const phone = textField(details, 'customer_phone');
  if (phone === undefined || !INDIAN_PHONE.test(phone))
    return invalid('customer_phone', 'should have 10 digits');
  return {
    id: textField(details, 'customer_id'),
    name: textField(details, 'customer_name'),
    email: textField(details, 'customer_email'),
    phone,
  };
}

export function timeIn(given: ExactObject, name: string, otherwise: Date): Date {
  const text = textField(given, name);
  const time = text === undefined ? otherwise : new Date(text);
  return Number.isNaN(time.getTime()) ? invalid(name, 'should be an ISO 8601 time') : time;
}
