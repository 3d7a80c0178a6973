import { Group, NavLink, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { DemoBadge } from '../parts/demo-badge.tsx';
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
} from '../parts/icons.tsx';
import { useMode } from '../use-mode.ts';
import { useViewer } from '../viewer.ts';

type PlaceInfo = {
  to: string;
  pattern: string;
  label: string;
  Icon: () => ReactNode;
  sandboxOnly?: true;
};

const places: PlaceInfo[] = [
  { to: '/', pattern: '/', label: 'Home', Icon: HomeIcon },
  { to: '/charges', pattern: '/charges/*?', label: 'Charges', Icon: ChargeIcon },
  { to: '/transfers', pattern: '/transfers/*?', label: 'Transfers', Icon: TransferIcon },
  { to: '/statements', pattern: '/statements/*?', label: 'Statements', Icon: StatementIcon },
  { to: '/refunds', pattern: '/refunds/*?', label: 'Refunds', Icon: RefundIcon },
  { to: '/payouts', pattern: '/payouts', label: 'To pay', Icon: PayoutIcon },
  { to: '/reconciliation', pattern: '/reconciliation', label: 'Reconciliation', Icon: BooksIcon },
  { to: '/subscriptions', pattern: '/subscriptions/*?', label: 'Subscriptions', Icon: SubscriptionIcon },
  { to: '/plans', pattern: '/plans/*?', label: 'Plans', Icon: PlanIcon },
  { to: '/invoices', pattern: '/invoices/*?', label: 'Invoices', Icon: InvoiceIcon },
  { to: '/checkout-links', pattern: '/checkout-links', label: 'Checkout links', Icon: LinkIcon },
  { to: '/sessions', pattern: '/sessions/*?', label: 'Sessions', Icon: SessionIcon },
  {
    to: '/receiving-accounts',
    pattern: '/receiving-accounts',
    label: 'Receiving accounts',
    Icon: AccountIcon,
  },
  { to: '/test-clock', pattern: '/test-clock', label: 'Test clock', Icon: ClockIcon, sandboxOnly: true },
  { to: '/webhooks', pattern: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
  { to: '/notifications', pattern: '/notifications/*?', label: 'Notifications', Icon: NotificationIcon },
  { to: '/certificates', pattern: '/certificates', label: 'Certificates', Icon: CertificateIcon },
  { to: '/api-keys', pattern: '/api-keys', label: 'API keys', Icon: KeyIcon },
  { to: '/exports', pattern: '/exports', label: 'Exports', Icon: ExportIcon },
  { to: '/users', pattern: '/users', label: 'Users', Icon: UsersIcon },
  { to: '/settings', pattern: '/settings', label: 'Settings', Icon: SettingsIcon },
  { to: '/access', pattern: '/access', label: 'Access', Icon: AccessIcon },
  { to: '/audit', pattern: '/audit', label: 'Audit log', Icon: AuditIcon },
  { to: '/mailbox', pattern: '/mailbox/*?', label: 'Mailbox', Icon: MailIcon },
];

export function Navigation() {
  const { merchant } = useViewer();
  const { mode } = useMode();
  const shown = places.filter(({ sandboxOnly }) => !sandboxOnly || mode === 'sandbox');
  return (
    <Stack h="100%" justify="space-between" gap="md">
      <nav aria-label="Main">
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {shown.map((place) => (
            <li key={place.to}>
              <Place {...place} />
            </li>
          ))}
        </ul>
      </nav>
      <Group gap="xs" px="xs" py="xs">
        <Text size="sm" c="var(--causeway-muted)">
          {merchant?.name}
        </Text>
        {merchant?.demo && <DemoBadge />}
      </Group>
    </Stack>
  );
}

function Place({ to, pattern, label, Icon }: PlaceInfo) {
  const [isHere] = useRoute(pattern);
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
