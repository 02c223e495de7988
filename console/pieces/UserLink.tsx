import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

type UserLinkProps = {
  readonly userId: string;
  /** What the person's page is to know of where the viewer came from; for `Link`. */
  readonly state?: unknown;
};

/** A user ID, linked to the person's page. */
export function UserLink({ userId, state }: UserLinkProps) {
  return (
    <Anchor
      renderRoot={props => (
        <Link {...props} href={`/people/${encodeURIComponent(userId)}`} state={state} />
      )}
      inherit
      underline="hover"
      style={{ overflowWrap: 'anywhere' }}
    >
      {userId}
    </Anchor>
  );
}
