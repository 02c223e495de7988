import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

type UserLinkProps = { readonly userId: string };

/** A user ID, linked to the person's page. */
export function UserLink({ userId }: UserLinkProps) {
  return (
    <Anchor
      component={Link}
      href={`/people/${encodeURIComponent(userId)}`}
      inherit
      underline="hover"
      style={{ overflowWrap: 'anywhere' }}
    >
      {userId}
    </Anchor>
  );
}
