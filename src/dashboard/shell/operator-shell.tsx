import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { AccessIcon, AccountIcon, BooksIcon, ClockIcon, HealthIcon } from '../components/icons.tsx';
import { t } from '../language/texts.ts';
import { type NavItem, NavLinks } from './nav-links.tsx';
import { PageFrame } from './page-frame.tsx';
import type { SignOut } from './use-sign-out.ts';

const navItems: NavItem[] = [
  { to: '/', pattern: '/merchants/*?', label: t.shell.merchants, Icon: AccountIcon },
  { to: '/requests', label: t.shell.accessRequests, Icon: AccessIcon },
  { to: '/rates', label: t.shell.exchangeRates, Icon: BooksIcon },
  { to: '/health', label: t.shell.health, Icon: HealthIcon },
  { to: '/jobs', label: t.shell.jobs, Icon: ClockIcon },
];

/** The frame of an operator's pages. Operators run the installation and do not act for any merchant. */
export function OperatorShell({ signOut, children }: { signOut: SignOut; children: ReactNode }) {
  return (
    <PageFrame
      badge={
        <Badge variant="light" tt="none" flex="none">
          {t.shell.operator}
        </Badge>
      }
      navigation={
        <nav aria-label={t.shell.main}>
          <NavLinks items={navItems} />
        </nav>
      }
      signOut={signOut}
    >
      {children}
    </PageFrame>
  );
}
