/** Escapes the wildcards of LIKE, so that the text matches only itself. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
