// What graphql-js says about an input repeats what was sent: all of it, where one field has a name
// that isn't known. Clients write errors down, and an input may have a bank account in it.

import { GraphQLError } from 'graphql';

/** Of a document or its variables: what is wrong and where, without what was sent. */
export function withoutValues({ message, originalError }: GraphQLError): string {
  const [, variable] = VARIABLE.exec(message) ?? [];
  if (variable === undefined || !(originalError instanceof GraphQLError))
    return reasonWithoutValue(message);
  const reason = originalError.message;
  const [, place = variable] = PLACE.exec(message.slice(0, -reason.length)) ?? [];
  return `Variable "$${variable}" got an invalid value at "${place}"; ${reasonWithoutValue(reason)}`;
}

const VARIABLE = /^Variable "\$(\w+)" got invalid value /;
/** The value before it is JSON, whose quotation marks are escaped. */
const PLACE = / at "([^"\\]+)"; $/;

/** Of scalars and enums, as variables and in the document. */
function reasonWithoutValue(reason: string): string {
  return reason
    .replace(/^((?:Enum "\w+"|\w+) cannot represent [^:"]+): .*$/s, '$1.')
    .replace(/^Value ".*" does not exist in/s, 'This value does not exist in')
    .replace(/^(Expected value of type "[^"]+"), found .*$/s, '$1.');
}
