/** What stands between the quotes of a JSON string at `bytes[start, end)`, escapes resolved. */
export function decodedText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
