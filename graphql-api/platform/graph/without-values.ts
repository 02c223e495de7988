// Messages of graphql-js about an input repeat the sent value, even entirely if one field is unknown.
// Clients log errors, and an input can contain a bank account.

import { GraphQLError } from 'graphql';

/** The message of an error in a document or its variables, without the sent value. */
export function withoutValues({ message, originalError }: GraphQLError): string {
  const [, variable] = VARIABLE.exec(message) ?? [];
  if (variable === undefined || !(originalError instanceof GraphQLError))
    return reasonWithoutValue(message);
  const reason = originalError.message;
  const [, place = variable] = PLACE.exec(message.slice(0, -reason.length)) ?? [];
  return `Variable "$${variable}" got an invalid value at "${place}"; ${reasonWithoutValue(reason)}`;
}

const VARIABLE = /^Variable "\$(\w+)" got invalid value /;
/** The preceding value is JSON, so its quotation marks are escaped. */
const PLACE = / at "([^"\\]+)"; $/;

/** Messages about scalars and enums, as variables and in the document. */
function reasonWithoutValue(reason: string): string {
  return reason
    .replace(/^((?:Enum "\w+"|\w+) cannot represent [^:"]+): .*$/s, '$1.')
    .replace(/^Value ".*" does not exist in/s, 'This value does not exist in')
    .replace(/^(Expected value of type "[^"]+"), found .*$/s, '$1.');
}
