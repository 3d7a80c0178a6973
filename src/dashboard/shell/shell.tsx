import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Connection } from '../graphql/client.ts';
import { Logo } from './logo.tsx';
import { ModeControl } from './mode-control.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import classes from './shell.module.css';
import type { SignOut } from './use-sign-out.ts';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page: where to go, which mode is shown, who is signed in. */
export function Shell(props: { connection: Connection; signOut: SignOut; children: ReactNode }) {
  const { connection, signOut, children } = props;
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
          </Group>
          <Group gap="sm" wrap="nowrap">
            <ModeControl />
            <UserMenu signOut={signOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <div className={classes.page}>
          <Notices connection={connection} />
          {children}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
