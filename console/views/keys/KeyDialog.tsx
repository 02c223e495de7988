import { Dialog } from '../../pieces/Dialog.tsx';
import type { Snippet } from '../../snippets/snippet.ts';
import { KeyForm, type Made } from './KeyForm.tsx';
import type { SdkKey } from './keys-query.ts';
import { TryKey } from './TryKey.tsx';
import { useLastClient } from './use-last-client.ts';

export type Opened = {
  readonly what: 'form' | 'try';
  readonly sdkKey?: SdkKey;
  readonly client?: Snippet;
};

type KeyDialogProps = {
  readonly opened: Opened;
  readonly onOpen: (opened: Opened) => void;
  readonly onClose: () => void;
  readonly onArrived: (keyId: string, at: string) => void;
};

/** The form of a key, or code that sends an event with it. */
export default function KeyDialog({ opened, onOpen, onClose, onArrived }: KeyDialogProps) {
  const { what, sdkKey, client } = opened;
  const { remember } = useLastClient();
  const showCode = (made: Made) => {
    remember(made.client);
    onOpen({ what: 'try', ...made });
  };
  return (
    <Dialog opened onClose={onClose} size={what === 'try' ? 'xl' : 'md'} title={titleOf(opened)}>
      {what === 'form' && (
        <KeyForm sdkKey={sdkKey} onDone={made => (made ? showCode(made) : onClose())} />
      )}
      {what === 'try' && sdkKey && <TryKey sdkKey={sdkKey} client={client} onArrived={onArrived} />}
    </Dialog>
  );
}

function titleOf({ what, sdkKey }: Opened): string {
  if (what === 'try') return `Test event with “${sdkKey?.name}”: code to copy`;
  return sdkKey === undefined ? 'New key' : `Edit “${sdkKey.name}”`;
}
