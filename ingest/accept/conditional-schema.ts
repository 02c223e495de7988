/**
 * JSON Schema if/then: an instance that matches `condition` must also match `consequence`. Neither
 * restricts additional properties.
 * https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.2
 */
export function conditionalSchema(condition: object, consequence: object): object {
  return {
    if: { ...condition, unevaluatedProperties: true },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { ...consequence, unevaluatedProperties: true }, // oxlint-disable-line unicorn/no-thenable
  };
}
