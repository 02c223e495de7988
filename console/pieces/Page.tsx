import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PRODUCT } from './product.ts';
import { type Section, Sections, useSection } from './Sections.tsx';

type PageProps = {
  readonly title: string;
  /** One sentence that explains the view to new users. */
  readonly about?: ReactNode;
  /** Buttons for actions on the whole page. */
  readonly actions?: ReactNode;
  /** The page above it, where it is one of several. */
  readonly back?: { readonly href: string; readonly label: string };
  /** The parts of the view, if it has several. */
  readonly sections?: readonly Section[];
  readonly children: ReactNode;
};

const NONE: readonly Section[] = [];

/** The heading of a view and its content. Each section and page has a title of its own in the browser. */
export function Page({ title, about, actions, back, sections = NONE, children }: PageProps) {
  const section = useSection(sections)?.title;
  const names = [section === title ? undefined : section, title, back?.label, PRODUCT];
  useDocumentTitle(names.filter(name => name !== undefined).join(' · '));
  return (
    <Stack gap="md" w="100%" maw={1280} mx="auto">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={6} maw={680}>
          {back && (
            <Anchor component={Link} href={back.href} size="sm" c="dimmed" underline="hover">
              <IconChevronLeft size={14} style={{ verticalAlign: -2 }} aria-hidden /> {back.label}
            </Anchor>
          )}
          <Title order={1} size="h3" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
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
      {sections.length > 0 && <Sections label={title} sections={sections} />}
      {children}
    </Stack>
  );
}
