/**
 * The JSON string whose content between the quotes is at `bytes[start, end)`, with escapes
 * resolved.
 */
export function decodedText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
