import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { fetchAs } from '../graph/client.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { saveAs } from './save-as.ts';

type Download = {
  readonly save: (path: string, fileName: string) => Promise<void>;
  /** The path of the download in progress. */
  readonly saving: string | undefined;
};

/** A file of the REST API. A plain link could not carry the token. */
export function useDownload(): Download {
  const { current } = useSession();
  const [saving, setSaving] = useState<string>();
  const save = async (path: string, fileName: string) => {
    setSaving(path);
    const blob = await fetchFile(path, fetchAs(current)).catch(() => undefined);
    setSaving(undefined);
    if (blob !== undefined) saveAs(blob, fileName);
    else
      notifications.show({
        title: 'Couldn’t download the file',
        message: 'Try again in a moment.',
        color: 'red',
      });
  };
  return { save, saving };
}

async function fetchFile(path: string, fetchNow: typeof fetch): Promise<Blob | undefined> {
  const answer = await fetchNow(path);
  return answer.ok ? answer.blob() : undefined;
}
