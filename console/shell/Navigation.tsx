import {
  Badge,
  Box,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { useId } from 'react';
import { Link, useLocation } from 'wouter';
import { type Badge as BadgeOfView, useBadges } from './use-badges.ts';
import { type ReachableView, useReachableViews } from './use-reachable-views.ts';
import { GROUPS, HOME, isAt } from './views.ts';

/** The links to the views, by group. */
export function Navigation({ onGo }: { readonly onGo: () => void }) {
  const { views, isWithoutWorkspace } = useReachableViews();
  const badges = useBadges();
  return (
    <ScrollArea>
      <Stack gap="sm">
        <ViewLink view={HOME} href={HOME.path} onGo={onGo} />
        {GROUPS.map(group => (
          <GroupOfViews
            key={group}
            title={group}
            views={views.filter(view => view.group === group)}
            badges={badges}
            onGo={onGo}
          />
        ))}
        {isWithoutWorkspace && (
          <Text size="xs" c="dimmed" px="sm">
            Data and campaigns appear here once you have a workspace.
          </Text>
        )}
      </Stack>
    </ScrollArea>
  );
}

type GroupOfViewsProps = {
  readonly title: string;
  readonly views: readonly ReachableView[];
  readonly badges: ReturnType<typeof useBadges>;
  readonly onGo: () => void;
};

function GroupOfViews({ title, views, badges, onGo }: GroupOfViewsProps) {
  const id = useId();
  if (views.length === 0) return null;
  return (
    <Box role="group" aria-labelledby={id}>
      <Text id={id} size="xs" c="dimmed" fw={600} px="sm" pb={2}>
        {title}
      </Text>
      {views.map(view => (
        <ViewLink
          key={view.path}
          view={view}
          href={view.href}
          badge={badges[view.path]}
          onGo={onGo}
        />
      ))}
    </Box>
  );
}

type ViewLinkProps = {
  readonly view: Pick<ReachableView, 'path' | 'title' | 'icon'>;
  readonly href: string;
  readonly badge?: BadgeOfView | undefined;
  readonly onGo: () => void;
};

function ViewLink({ view, href, badge, onGo }: ViewLinkProps) {
  const { path, title, icon: Icon } = view;
  const [location] = useLocation();
  const isHere = isAt(location, path);
  return (
    <NavLink
      component={Link}
      href={href}
      label={title}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      leftSection={<Icon size={18} stroke={1.7} />}
      rightSection={
        badge && (
          <Tooltip label={badge.meaning}>
            <Badge variant="default" radius="sm" size="sm" tt="none">
              <span aria-hidden>{badge.count}</span>
              <VisuallyHidden>{badge.meaning}</VisuallyHidden>
            </Badge>
          </Tooltip>
        )
      }
      onClick={onGo}
      mb={1}
      py={4}
      fw={isHere ? 600 : 500}
      // Inside, since the edge of the scroll area would clip it.
      style={{ borderRadius: 'var(--mantine-radius-md)', outlineOffset: -2 }}
    />
  );
}
