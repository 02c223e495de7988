/** For a field's `pattern`: blanks alone are no name, and nobody could click on them. */
export const NOT_BLANK = String.raw`.*\S.*`;
