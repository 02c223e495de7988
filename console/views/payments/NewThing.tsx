import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../pieces/Dialog.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';

type NewThingProps<Created> = {
  /** For example "order". */
  readonly noun: string;
  /** Without something to show, the dialog closes. */
  readonly form: (onCreated: (created?: Created) => void) => ReactNode;
  /** What its creator needs of it. */
  readonly children?: (created: Created) => ReactNode;
};

/** For owners: a button, the form in a dialog, then what was created. */
export function NewThing<Created>({ noun, form, children }: NewThingProps<Created>) {
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  if (!useMay('OWNER')) return null;
  const open = () => {
    setCreated(undefined);
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  return (
    <>
      <Button leftSection={<IconPlus size={17} />} onClick={open}>
        Create {noun}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        size="lg"
        title={created === undefined ? `Create ${noun}` : `The ${noun} was created`}
      >
        {created === undefined ? (
          form(made => (made === undefined ? close() : setCreated(made)))
        ) : (
          <Stack>
            {children?.(created)}
            <Button onClick={close}>Done</Button>
          </Stack>
        )}
      </Dialog>
    </>
  );
}
