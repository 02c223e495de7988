import { ActionIcon, Badge, Group, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconClock,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { leaveBy } from '../pieces/unsaved.ts';
import { useExactTimes } from '../pieces/use-exact-times.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { type Role, useViewer } from '../session/ViewerProvider.tsx';
import { Release } from './Release.tsx';

const ROLES: Record<Role, string> = {
  MEMBER: 'member',
  OWNER: 'owner',
  PLATFORM_ADMIN: 'platform admin',
};
const SCHEMES = [
  { scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
] as const;

export function Account() {
  const { userId, roles, organization } = useViewer();
  const signOut = useSignOut();
  const { isExact, toggle } = useExactTimes();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu width={240} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label="Account and appearance">
          <IconUser size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {userId}
          </Text>
          <Text size="xs" truncate>
            {organization?.name}
          </Text>
          <Group gap={4} mt={6}>
            {roles.map(role => (
              <Badge key={role} size="sm" variant="default" tt="none">
                {ROLES[role]}
              </Badge>
            ))}
          </Group>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(({ scheme, label, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} />}
            onClick={() => setColorScheme(scheme)}
            fw={colorScheme === scheme ? 650 : undefined}
            aria-current={colorScheme === scheme}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconClock size={16} />} onClick={toggle}>
          {isExact ? 'Show relative times' : 'Show exact times'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => leaveBy(() => void signOut())}
        >
          Sign out
        </Menu.Item>
        <Release />
      </Menu.Dropdown>
    </Menu>
  );
}
