import { Avatar, Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useViewer } from '../viewer.ts';
import { useSignOut } from './use-sign-out.ts';

export function UserMenu({ onSignedOut }: { onSignedOut: () => void }) {
  const { user } = useViewer();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut(onSignedOut);
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${user.email}`}>
          <Avatar size={32} color="causeway" variant="light">
            {user.email.slice(0, 1).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" truncate>
            {user.email}
          </Text>
          {roleTexts[user.role]}
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
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const roleTexts = { owner: 'Owner', developer: 'Developer', support: 'Support', operator: 'Operator' };
