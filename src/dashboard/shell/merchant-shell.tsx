import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useLocation } from 'wouter';
import { DemoBadge } from '../components/demo-badge.tsx';
import {
  AccessIcon,
  AccountIcon,
  AuditIcon,
  BooksIcon,
  CertificateIcon,
  ChargeIcon,
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
  return (
    <PageFrame
      controls={
        <>
          <SearchButton />
          <ModeControl />
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

/** Switches the whole dashboard between live and sandbox. */
function ModeControl() {
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
function Notices({ connection }: { connection: LiveConnectionState }) {
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

/** Navigation items by topic, in the order of use. */
const navGroups: { title?: string; items: MerchantNavItem[] }[] = [
  {
    items: [{ to: '/', pattern: '/', label: 'Home', Icon: HomeIcon }],
  },
  {
    title: 'Payments',
    items: [
      { to: '/charges', label: 'Charges', Icon: ChargeIcon },
      { to: '/refunds', label: 'Refunds', Icon: RefundIcon },
      { to: '/customers', label: 'Customers', Icon: UsersIcon },
      { to: '/checkout-links', label: 'Checkout links', Icon: LinkIcon },
      { to: '/sessions', label: 'Sessions', Icon: SessionIcon },
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
    title: 'Developers',
    items: [
      { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
      { to: '/notifications', label: 'Notifications', Icon: NotificationIcon },
      { to: '/api-keys', label: 'API keys', Icon: KeyIcon },
      { to: '/certificates', label: 'Certificates', Icon: CertificateIcon },
      { to: '/test-clock', label: 'Test clock', Icon: ClockIcon, isSandboxOnly: true },
    ],
  },
  {
    title: 'Account',
    items: [
      { to: '/users', label: 'Users', Icon: UsersIcon },
      { to: '/settings', label: 'Settings', Icon: SettingsIcon },
      { to: '/access', label: 'API access', Icon: AccessIcon },
      { to: '/audit', label: 'Audit log', Icon: AuditIcon },
      { to: '/exports', label: 'Exports', Icon: ExportIcon },
      { to: '/mailbox', label: 'Mailbox', Icon: MailIcon },
    ],
  },
];

function Navigation() {
  const { merchant } = useViewer();
  return (
    <Stack mih="100%" justify="space-between" gap="md">
      <nav aria-label="Main">
        {navGroups.map((group) => (
          <NavGroup key={group.title ?? ''} {...group} />
        ))}
      </nav>
      <Group gap="xs" px="xs" py="xs">
        <Text size="sm" c="var(--causeway-muted)">
          {merchant?.name}
        </Text>
        {merchant?.isDemo && <DemoBadge />}
      </Group>
    </Stack>
  );
}

function NavGroup({ title, items }: (typeof navGroups)[number]) {
  const { mode } = useMode();
  const id = useId();
  const visibleItems = items.filter(({ isSandboxOnly }) => !isSandboxOnly || mode === 'sandbox');
  if (title === undefined) return <NavLinks items={visibleItems} />;
  return (
    <>
      <Text id={id} size="xs" fw={600} c="var(--causeway-muted)" px="sm" pt="sm" pb={2}>
        {title}
      </Text>
      <NavLinks items={visibleItems} labelledBy={id} />
    </>
  );
}
