import { Button, Center } from '@mantine/core';

type MoreButtonProps = {
  readonly page: { readonly hasNextPage: boolean };
  readonly isLoading: boolean;
  readonly onMore: () => void;
};

/** Shown below a list that has further pages. */
export function MoreButton({ page, isLoading, onMore }: MoreButtonProps) {
  if (!page.hasNextPage) return null;
  return (
    <Center p="md">
      <Button variant="default" loading={isLoading} onClick={onMore}>
        Show more
      </Button>
    </Center>
  );
}
