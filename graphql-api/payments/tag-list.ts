/** Names and values in their order, which a JSON object does not keep: it sorts names like `10`. */
export type TagList = readonly (readonly [name: string, value: string])[];
