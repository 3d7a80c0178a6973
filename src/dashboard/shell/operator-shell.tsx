import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { AccessIcon, AccountIcon, BooksIcon, ClockIcon, HealthIcon } from '../components/icons.tsx';
import { type NavItem, NavLinks } from './nav-links.tsx';
import { PageFrame } from './page-frame.tsx';
import type { SignOut } from './use-sign-out.ts';

const navItems: NavItem[] = [
  { to: '/', pattern: '/merchants/*?', label: 'Merchants', Icon: AccountIcon },
  { to: '/requests', label: 'Access requests', Icon: AccessIcon },
  { to: '/rates', label: 'Exchange rates', Icon: BooksIcon },
  { to: '/health', label: 'Health', Icon: HealthIcon },
  { to: '/jobs', label: 'Jobs', Icon: ClockIcon },
];

/** The frame of an operator's pages. Operators run the installation and do not act for any merchant. */
export function OperatorShell({ signOut, children }: { signOut: SignOut; children: ReactNode }) {
  return (
    <PageFrame
      badge={
        <Badge variant="light" tt="none" flex="none">
          Operator
        </Badge>
      }
      navigation={
        <nav aria-label="Main">
          <NavLinks items={navItems} />
        </nav>
      }
      signOut={signOut}
    >
      {children}
    </PageFrame>
  );
}
