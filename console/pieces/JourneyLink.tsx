import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

type JourneyLinkProps = { readonly journey: { readonly id: string; readonly name: string } };

/** The name of a journey, which leads to it. */
export function JourneyLink({ journey: { id, name } }: JourneyLinkProps) {
  return (
    <Anchor component={Link} href={`/journeys/${id}`} inherit>
      {name}
    </Anchor>
  );
}
