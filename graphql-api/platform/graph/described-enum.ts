import { builder } from './builder.ts';

/** Declares an enum from its values and their descriptions. */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const values = Object.entries<string>(descriptions).map(([value, text]) => [
    value,
    { description: text },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as Record<Value, { description: string }>,
  });
}

/** Same as `describedEnum`, for stored values whose names in GraphQL are in upper case. */
export function uppercaseEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const values = Object.entries<string>(descriptions).map(([value, text]) => [
    value.toUpperCase(),
    { value, description: text },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as {
      [Name in Value as Uppercase<Name>]: { value: Name; description: string };
    },
  });
}
