import { SegmentedControl, Stack, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { DemoBadge } from '../components/demo-badge.tsx';
import {
  AccessIcon,
  AccountIcon,
  AuditIcon,
  BooksIcon,
  CertificateIcon,
  ChargeIcon,
  ChevronIcon,
  ClockIcon,
  ExportIcon,
  HomeIcon,
  InvoiceIcon,
  KeyIcon,
  LinkIcon,
  MailIcon,
  NotificationIcon,
  PayoutIcon,
  PlanIcon,
  RefundIcon,
  SessionIcon,
  SettingsIcon,
  StatementIcon,
  SubscriptionIcon,
  TransferIcon,
  UsersIcon,
  WebhookIcon,
} from '../components/icons.tsx';
import type { Mode } from '../graphql/client.ts';
import type { LiveConnectionState } from '../graphql/resilient-subscription.ts';
import { useMethodName } from '../pages/payment-methods.ts';
import { useMode } from '../use-mode.ts';
import { useViewer } from '../viewer.ts';
import { type NavItem, NavLinks } from './nav-links.tsx';
import classes from './notices.module.css';
import { PageFrame } from './page-frame.tsx';
import { SearchButton } from './search-button.tsx';
import shellClasses from './shell.module.css';
import type { SignOut } from './use-sign-out.ts';

/** The frame of a merchant's pages: navigation, mode switch, user menu and important notices. */
export function MerchantShell(props: {
  connection: LiveConnectionState;
  signOut: SignOut;
  children: ReactNode;
}) {
  const { connection, signOut, children } = props;
  // Loads the method names before the pages, so that lists do not show codes first.
  useMethodName();
  const isNarrow = useIsNarrow();
  return (
    <PageFrame
      badge={<MerchantName />}
      controls={
        <>
          <SearchButton />
          {!isNarrow && <ModeControl />}
        </>
      }
      navigation={<Navigation />}
      signOut={signOut}
    >
      <Notices connection={connection} />
      {children}
    </PageFrame>
  );
}

/** Shows which merchant this is, on every page and screen. */
export function MerchantName() {
  const { merchant } = useViewer();
  return (
    <>
      <span className={shellClasses.merchant} title={merchant?.name}>
        {merchant?.name}
      </span>
      {merchant?.isDemo && (
        <span className={shellClasses.demo}>
          <DemoBadge />
        </span>
      )}
    </>
  );
}

/** Whether the screen is a phone, whose header has no room for the mode next to the merchant's name. */
function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 30em)', false, { getInitialValueInEffect: false });
}

/** Switches the whole dashboard between live and sandbox. On phones, it is in the menu. */
export function ModeControl() {
  const { mode, setMode } = useMode();
  const [location, navigate] = useLocation();

  const change = (next: string) => {
    setMode(next as Mode);
    // The open object does not exist in the other mode, so its list opens.
    navigate(`/${location.split('/')[1] ?? ''}`);
  };

  return (
    <SegmentedControl
      aria-label="Mode"
      size="xs"
      value={mode}
      onChange={change}
      color={mode === 'sandbox' ? 'amber' : 'causeway'}
      data={[
        { value: 'live', label: 'Live' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}

/** Shows important notices on every page. */
export function Notices({ connection }: { connection: LiveConnectionState }) {
  const { mode } = useMode();
  const { merchant } = useViewer();
  return (
    <Stack gap="xs" className={classes.notices} role="status">
      {connection === 'lost' && (
        <Notice title="Reconnecting">The connection was lost. This page may be out of date.</Notice>
      )}
      {mode === 'sandbox' ? (
        <Notice title="Sandbox">Test mode. No real money moves.</Notice>
      ) : (
        merchant?.isDemo && (
          <Notice title="Demo">The receiving accounts are fictional. Do not send real money to them.</Notice>
        )
      )}
    </Stack>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className={classes.notice}>
      <strong>{title}</strong> {children}
    </p>
  );
}

type MerchantNavItem = NavItem & { isSandboxOnly?: true };

type NavGroupProps = {
  title: string;
  items: MerchantNavItem[];
  /** Whether the group is folded until the user opens it. */
  isFolded?: boolean;
};

/** Navigation items by topic, in the order of use. The pages for developers come last and are folded. */
const navGroups: NavGroupProps[] = [
  {
    title: 'Payments',
    items: [
      { to: '/charges', label: 'Charges', Icon: ChargeIcon },
      { to: '/refunds', label: 'Refunds', Icon: RefundIcon },
      { to: '/customers', label: 'Customers', Icon: UsersIcon },
      { to: '/checkout-links', label: 'Checkout links', Icon: LinkIcon },
      { to: '/counter', label: 'Counter', Icon: SessionIcon },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: '/review', label: 'Needs review', Icon: AuditIcon },
      { to: '/transfers', label: 'Transfers', Icon: TransferIcon },
      { to: '/statements', label: 'Statements', Icon: StatementIcon },
      { to: '/payouts', label: 'Refund payouts', Icon: PayoutIcon },
      { to: '/reconciliation', label: 'Reconciliation', Icon: BooksIcon },
      { to: '/books', label: 'Books', Icon: BooksIcon },
      { to: '/receiving-accounts', label: 'Receiving accounts', Icon: AccountIcon },
      { to: '/bank-feeds', label: 'Bank feeds', Icon: TransferIcon },
    ],
  },
  {
    title: 'Subscriptions',
    items: [
      { to: '/subscriptions', label: 'Subscriptions', Icon: SubscriptionIcon },
      { to: '/plans', label: 'Plans', Icon: PlanIcon },
      { to: '/invoices', label: 'Invoices', Icon: InvoiceIcon },
    ],
  },
  {
    title: 'Business',
    items: [
      { to: '/settings', label: 'Settings', Icon: SettingsIcon },
      { to: '/users', label: 'Users', Icon: UsersIcon },
      { to: '/mailbox', label: 'Sent messages', Icon: MailIcon },
      { to: '/exports', label: 'Exports', Icon: ExportIcon },
      { to: '/audit', label: 'Audit log', Icon: AuditIcon },
    ],
  },
  {
    title: 'Developers',
    isFolded: true,
    items: [
      { to: '/sessions', label: 'Sessions', Icon: SessionIcon },
      { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
      { to: '/notifications', label: 'Notifications', Icon: NotificationIcon },
      { to: '/api-keys', label: 'API keys', Icon: KeyIcon },
      { to: '/certificates', label: 'Certificates', Icon: CertificateIcon },
      { to: '/access', label: 'API access', Icon: AccessIcon },
      { to: '/test-clock', label: 'Test clock', Icon: ClockIcon, isSandboxOnly: true },
    ],
  },
];

function Navigation() {
  return (
    <nav aria-label="Main">
      {useIsNarrow() && <ModeControl />}
      <NavLinks items={[{ to: '/', pattern: '/', label: 'Home', Icon: HomeIcon }]} />
      {navGroups.map((group) => (
        <NavGroup key={group.title} {...group} />
      ))}
    </nav>
  );
}

/** A group of pages that can be folded. The group of the current page is always open. */
function NavGroup({ title, items, isFolded = false }: NavGroupProps) {
  const { mode } = useMode();
  const id = useId();
  const [location] = useLocation();
  const [isOpen, setOpen] = useStoredFlag(`causeway-nav-${title}`, !isFolded);
  const visibleItems = items.filter(({ isSandboxOnly }) => !isSandboxOnly || mode === 'sandbox');
  const isShown = isOpen || visibleItems.some(({ to }) => `/${location.split('/')[1]}` === to);
  return (
    <>
      <UnstyledButton
        id={id}
        className={shellClasses.group}
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
      >
        {title}
        <span className={shellClasses.chevron}>
          <ChevronIcon />
        </span>
      </UnstyledButton>
      {isShown && <NavLinks items={visibleItems} labelledBy={id} />}
    </>
  );
}

/** A flag that this browser remembers. */
function useStoredFlag(key: string, defaultValue: boolean): [value: boolean, set: (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const stored = localStorage.getItem(key);
    return stored === null ? defaultValue : stored === 'true';
  });
  const store = (next: boolean) => {
    localStorage.setItem(key, String(next));
    setValue(next);
  };
  return [value, store];
}
