import { Button, CopyButton, Stack } from '@mantine/core';
import { IconCheck, IconLink, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Page } from '../../pieces/Page.tsx';
import { SECTIONS } from './insight-paths.ts';

type InsightPageProps = {
  readonly about: string;
  /** The address that shows the same to others. */
  readonly link: string;
  readonly onRefresh: () => void;
  readonly children: ReactNode;
};

export function InsightPage({ about, link, onRefresh, children }: InsightPageProps) {
  return (
    <Page
      title="Insights"
      about={about}
      sections={SECTIONS}
      actions={
        <>
          <Button variant="default" leftSection={<IconRefresh size={17} />} onClick={onRefresh}>
            Refresh
          </Button>
          <CopyButton value={link}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={17} /> : <IconLink size={17} />}
                onClick={copy}
              >
                {copied ? 'Link copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
        </>
      }
    >
      <Stack gap="lg">{children}</Stack>
    </Page>
  );
}
