import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../pieces/Card.tsx';
import { Empty } from '../pieces/Empty.tsx';
import { Page } from '../pieces/Page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Card>
        <Empty title="This page doesn’t exist">
          <Anchor component={Link} href="/">
            Go to Home
          </Anchor>
        </Empty>
      </Card>
    </Page>
  );
}
