import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link, useLocation, useSearch } from 'wouter';
import { type ReplayScope, replayHref } from './replay-href.ts';

type ReplayButtonProps = {
  readonly scope: ReplayScope;
  /** Names the events that it covers. */
  readonly label: string;
};

/** Opens the form, which links back to this page with its filter. */
export function ReplayButton({ scope, label }: ReplayButtonProps) {
  const [path] = useLocation();
  const search = useSearch();
  const back = search === '' ? path : `${path}?${search}`;
  return (
    <Button component={Link} href={replayHref(scope, back)} leftSection={<IconSend size={17} />}>
      {label}
    </Button>
  );
}
