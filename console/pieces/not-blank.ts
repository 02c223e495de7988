/** For the `pattern` of a field: a name of only spaces would not be visible or clickable. */
export const NOT_BLANK = String.raw`.*\S.*`;
