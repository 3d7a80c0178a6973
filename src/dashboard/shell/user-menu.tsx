import { Avatar, Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link } from 'wouter';
import { roleTexts } from '../parts/role-texts.ts';
import { useViewer } from '../viewer.ts';

export function UserMenu({ onSignOut }: { onSignOut: () => void }) {
  const { user } = useViewer();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${user.email}`}>
          <Avatar size={32} color="causeway" variant="light">
            {(user.name || user.email).slice(0, 1).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name !== '' && (
            <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
              {user.name}
            </Text>
          )}
          <Text size="sm" c="var(--mantine-color-text)" truncate>
            {user.email}
          </Text>
          {roleTexts[user.role].name}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <SegmentedControl
          aria-label="Appearance"
          fullWidth
          size="xs"
          mx="xs"
          mb="xs"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <Menu.Divider />
        <Menu.Item component={Link} href="/account">
          Your account
        </Menu.Item>
        <Menu.Item onClick={onSignOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
