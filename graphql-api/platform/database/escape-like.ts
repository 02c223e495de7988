/** Escapes the wildcards of LIKE, so that the text matches itself only. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
