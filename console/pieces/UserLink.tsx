import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

/** A user ID that leads to the person. */
export function UserLink({ userId }: { readonly userId: string }) {
  return (
    <Anchor component={Link} href={`/people/${encodeURIComponent(userId)}`} inherit>
      {userId}
    </Anchor>
  );
}
