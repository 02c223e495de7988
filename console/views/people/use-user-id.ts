import { usePathname } from 'wouter/use-browser-location';

const PEOPLE = '/people/';

/**
 * The user ID in the address of a person's page. Read from the browser's own path: user IDs can
 * contain any characters, and the router decodes only some of them.
 */
export function useUserId(): string | undefined {
  const path = usePathname();
  const start = path.indexOf(PEOPLE);
  if (start === -1) return undefined;
  const encoded = path.slice(start + PEOPLE.length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
