import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../pieces/Empty.tsx';

export function NotFound() {
  return (
    <Empty title="There is nothing at this address">
      <Anchor component={Link} href="/">
        Back to the beginning
      </Anchor>
    </Empty>
  );
}
