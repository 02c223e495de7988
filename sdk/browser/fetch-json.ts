import type { Identity } from '../core/client-host.ts';

/** GET of a JSON body with the key and the person. Throws on any answer but 200. */
export async function fetchJson(
  url: string,
  writeKey: string,
  { userId }: Identity,
): Promise<unknown> {
  const headers: Record<string, string> = { 'X-Service-Write-Key': writeKey };
  if (userId !== undefined) headers['X-User-ID'] = utf8(userId);
  const response = await fetch(url, { headers, credentials: 'omit' });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** Headers are bytes: each byte is one character here. */
function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
