import type { Identity } from '../core/client-host.ts';

/** Sends a GET with the key and the person, and returns the JSON body. Throws for any response other than 200. */
export async function fetchJson(
  url: string,
  writeKey: string,
  { userId }: Identity,
): Promise<unknown> {
  const headers: Record<string, string> = { 'X-Service-Write-Key': writeKey };
  if (userId !== undefined) headers['X-User-ID'] = utf8(userId);
  const response = await fetch(url, { headers, credentials: 'omit' });
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`);
  return response.json();
}

/** Headers are bytes: each byte is one character here. */
function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
