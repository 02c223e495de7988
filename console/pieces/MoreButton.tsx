import { Button, Center } from '@mantine/core';

type MoreButtonProps = {
  readonly page: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly isLoading: boolean;
  readonly onMore: (after: string) => void;
};

/** Shown below a list that has further pages. */
export function MoreButton({ page, isLoading, onMore }: MoreButtonProps) {
  const { hasNextPage, endCursor } = page;
  if (!hasNextPage || endCursor === null) return null;
  return (
    <Center p="md">
      <Button variant="default" loading={isLoading} onClick={() => onMore(endCursor)}>
        Show more
      </Button>
    </Center>
  );
}
