import { useLocalStorage } from '@mantine/hooks';
import { CURL } from '../../snippets/plain-http.ts';
import type { Snippet } from '../../snippets/snippet.ts';
import { SNIPPETS } from '../../snippets/snippets.ts';

type LastClient = {
  readonly last: Snippet;
  readonly remember: (client: Snippet) => void;
};

/** The client that the viewer chose last, for any key. At first curl, which sends an event at once and with every key. */
export function useLastClient(): LastClient {
  const [name, setName] = useLocalStorage({
    key: 'console-client',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return {
    last: SNIPPETS.find(snippet => snippet.name === name) ?? CURL,
    remember: client => setName(client.name),
  };
}
