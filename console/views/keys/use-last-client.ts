import { useLocalStorage } from '@mantine/hooks';
import type { Snippet } from '../../snippets/snippet.ts';
import { SNIPPETS } from '../../snippets/snippets.ts';

type LastClient = {
  readonly last: Snippet | undefined;
  readonly remember: (client: Snippet) => void;
};

/** The client that the viewer chose last, for any key. */
export function useLastClient(): LastClient {
  const [name, setName] = useLocalStorage({
    key: 'console-client',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return {
    last: SNIPPETS.find(snippet => snippet.name === name),
    remember: client => setName(client.name),
  };
}
