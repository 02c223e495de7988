import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type PageProps = {
  readonly title: string;
  /** One sentence that explains the view to new users. */
  readonly about?: ReactNode;
  /** Buttons for actions on the whole page. */
  readonly actions?: ReactNode;
  /** The page above it, where it is one of several. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly children: ReactNode;
};

/** The heading of a view and its content. */
export function Page({ title, about, actions, back, children }: PageProps) {
  useDocumentTitle(`${title} · Console`);
  return (
    <Stack gap="lg" w="100%" maw={1280} mx="auto">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} maw={680}>
          {back && (
            <Anchor component={Link} href={back.href} size="sm" c="dimmed" underline="hover">
              <IconChevronLeft size={14} style={{ verticalAlign: -2 }} aria-hidden /> {back.label}
            </Anchor>
          )}
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {about && (
            <Text component="div" c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
