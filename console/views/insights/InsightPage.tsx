import { Button, Stack } from '@mantine/core';
import { IconCheck, IconLink, IconRefresh } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import { useCopy } from '../../pieces/use-copy.ts';

type InsightPageProps = {
  /** The address that shows the same to others. */
  readonly link: string;
  readonly onRefresh: () => void;
  readonly children: ReactNode;
};

const Place = createContext<HTMLElement | null>(null);
/** Where the buttons of a report are, beside the heading of the view. */
export const ActionsPlace = Place.Provider;

/** A report with its form, and its buttons. */
export function InsightPage({ link, onRefresh, children }: InsightPageProps) {
  const place = useContext(Place);
  return (
    <Stack gap="lg">
      {place !== null &&
        createPortal(
          <>
            <Button variant="default" leftSection={<IconRefresh size={17} />} onClick={onRefresh}>
              Refresh
            </Button>
            <CopyLink link={link} />
          </>,
          place,
        )}
      {children}
    </Stack>
  );
}

function CopyLink({ link }: { readonly link: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <Button
      variant="default"
      leftSection={isCopied ? <IconCheck size={17} /> : <IconLink size={17} />}
      onClick={() => copy(link)}
    >
      <span aria-live="polite">{isCopied ? 'Link copied' : 'Copy link'}</span>
    </Button>
  );
}
