import { AppShell, Badge, Burger, Group, NavLink, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { AccessIcon, AccountIcon, BooksIcon, ClockIcon } from '../parts/icons.tsx';
import { Logo } from './logo.tsx';
import classes from './shell.module.css';
import type { SignOut } from './use-sign-out.ts';
import { UserMenu } from './user-menu.tsx';

const places = [
  { to: '/', pattern: '/merchants/*?', label: 'Merchants', Icon: AccountIcon },
  { to: '/requests', pattern: '/requests', label: 'Access requests', Icon: AccessIcon },
  { to: '/rates', pattern: '/rates', label: 'Exchange rates', Icon: BooksIcon },
  { to: '/work', pattern: '/work', label: 'Jobs', Icon: ClockIcon },
];

/** The frame of an operator's pages: an operator runs the installation and acts for no merchant. */
export function OperatorShell({ signOut, children }: { signOut: SignOut; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when one goes somewhere.
  useEffect(close, [location]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className={classes.skip} href="#content">
        Skip to the page
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <span className={classes.logo}>
              <Logo />
            </span>
            <Badge variant="light" tt="none" flex="none">
              Operator
            </Badge>
          </Group>
          <UserMenu signOut={signOut} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm">
        <Stack>
          <nav aria-label="Main">
            <ul className={classes.places}>
              {places.map((place) => (
                <li key={place.to}>
                  <Place {...place} />
                </li>
              ))}
            </ul>
          </nav>
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <div className={classes.page}>{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

function Place({ to, pattern, label, Icon }: (typeof places)[number]) {
  const [isAt] = useRoute(to);
  const [isUnder] = useRoute(pattern);
  const isHere = isAt || isUnder;
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={<Icon />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
