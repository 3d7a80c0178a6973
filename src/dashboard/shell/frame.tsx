import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Refused } from '../parts/refused.tsx';
import { Logo } from './logo.tsx';
import classes from './shell.module.css';
import { type SignOut, useSignOut } from './use-sign-out.ts';
import { UserMenu } from './user-menu.tsx';

/** What every page stands in: the head, the ways to the other pages, and the page. */
export function Frame(props: {
  /** Beside the logo. */
  badge?: ReactNode;
  /** In the head, before the user's menu. */
  controls?: ReactNode;
  navigation: ReactNode;
  signOut: SignOut;
  children: ReactNode;
}) {
  const { badge, controls, navigation, signOut: leave, children } = props;
  const { signOut, refusal } = useSignOut(leave);
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when one goes somewhere.
  useEffect(close, [location]);
  const burger = useRef<HTMLButtonElement>(null);
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
        Skip to the page
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <span className={classes.logo}>
              <Logo />
            </span>
            {badge}
          </Group>
          <Group gap="sm" wrap="nowrap">
            {controls}
            <UserMenu onSignOut={signOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        className={classes.navbar}
        p="sm"
        data-closed={!opened || undefined}
        onKeyDown={closeByKey}
      >
        {navigation}
      </AppShell.Navbar>
      {/* What has the focus is not covered. */}
      <AppShell.Main id="content" onFocus={close}>
        <div className={classes.page}>
          <Refused text={refusal} />
          {children}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
