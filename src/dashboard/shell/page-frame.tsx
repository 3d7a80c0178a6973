import {
  AppShell,
  Avatar,
  Burger,
  Group,
  Menu,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { fillText } from '../../language/fill-text.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { roleTexts } from '../components/role-texts.ts';
import { t } from '../language/texts.ts';
import { useMode } from '../use-mode.ts';
import { useViewer } from '../viewer.ts';
import { getGuidePath } from './guides.ts';
import { HelpMenu } from './help-menu.tsx';
import { LanguageSelect } from './language-select.tsx';
import { Logo } from './logo.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import classes from './shell.module.css';
import { type SignOut, useSignOut } from './use-sign-out.ts';

export function PageFrame(props: {
  /** Shown next to the logo. */
  badge?: ReactNode;
  /** Shown in the header, before the user menu. */
  controls?: ReactNode;
  navigation: ReactNode;
  signOut: SignOut;
  children: ReactNode;
}) {
  const { badge, controls, navigation, signOut: leaveDashboard, children } = props;
  const { signOut, error: signOutError } = useSignOut(leaveDashboard);
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const { mode } = useMode();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on navigation and when the mode changes.
  useEffect(close, [location, mode]);
  const burger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // A page that loads slowly focuses its title late, which must not close a menu that is open by then.
  const closeOnLeave = ({ relatedTarget }: FocusEvent) => {
    if (menu.current?.contains(relatedTarget)) close();
  };
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !opened) return;
    close();
    burger.current?.focus();
  };
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className={classes.skip} href="#content">
        {t.shell.skipToContent}
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.shell.navigation}
              aria-expanded={opened}
              onKeyDown={closeByKey}
            />
            <span className={classes.logo}>
              <Logo />
            </span>
            {badge}
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            {controls}
            <HelpMenu />
            <UserMenu onSignOut={signOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        ref={menu}
        className={classes.navbar}
        p="sm"
        data-closed={!opened || undefined}
        onKeyDown={closeByKey}
      >
        {navigation}
      </AppShell.Navbar>
      {/* Focus that moves from the menu to the content closes the menu, which would cover the focused element. */}
      <AppShell.Main id="content" onFocus={closeOnLeave}>
        <div className={classes.page}>
          <ErrorAlert text={signOutError} />
          <PageErrorBoundary page={`${mode} ${location}`}>{children}</PageErrorBoundary>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

function UserMenu({ onSignOut }: { onSignOut: () => void }) {
  const { user } = useViewer();
  const [location] = useLocation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={fillText(t.shell.accountOf, { email: user.email })}>
          <Avatar size={32} color="causeway" variant="light">
            {(user.name ?? user.email).slice(0, 1).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name !== null && (
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
        <Menu.Label>{t.shell.appearance}</Menu.Label>
        <SegmentedControl
          aria-label={t.shell.appearance}
          fullWidth
          size="xs"
          mx="xs"
          mb="xs"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
          data={[
            { value: 'auto', label: t.shell.system },
            { value: 'light', label: t.shell.light },
            { value: 'dark', label: t.shell.dark },
          ]}
        />
        <Menu.Label>{t.shell.language}</Menu.Label>
        <LanguageSelect mx="xs" mb="xs" />
        <Menu.Divider />
        {/* On phones, the header has no room for the help button. */}
        <Menu.Item component={Link} href={getGuidePath(location)} hiddenFrom="xs">
          {t.shell.guideToThisPage}
        </Menu.Item>
        <Menu.Item component={Link} href="/account">
          {t.shell.yourAccount}
        </Menu.Item>
        <Menu.Item onClick={onSignOut}>{t.shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
