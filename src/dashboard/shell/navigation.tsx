import { Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
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
import { type Place, Places } from './places.tsx';

type MerchantPlace = Place & { sandboxOnly?: true };

/** What belongs together, in the order in which it is looked for. */
const groups: { title?: string; places: MerchantPlace[] }[] = [
  {
    places: [{ to: '/', pattern: '/', label: 'Home', Icon: HomeIcon }],
  },
  {
    title: 'Payments',
    places: [
      { to: '/charges', label: 'Charges', Icon: ChargeIcon },
      { to: '/refunds', label: 'Refunds', Icon: RefundIcon },
      { to: '/checkout-links', label: 'Checkout links', Icon: LinkIcon },
      { to: '/sessions', label: 'Sessions', Icon: SessionIcon },
    ],
  },
  {
    title: 'Money',
    places: [
      { to: '/transfers', label: 'Transfers', Icon: TransferIcon },
      { to: '/statements', label: 'Statements', Icon: StatementIcon },
      { to: '/payouts', label: 'To pay', Icon: PayoutIcon },
      { to: '/reconciliation', label: 'Reconciliation', Icon: BooksIcon },
      { to: '/receiving-accounts', label: 'Receiving accounts', Icon: AccountIcon },
    ],
  },
  {
    title: 'Subscriptions',
    places: [
      { to: '/subscriptions', label: 'Subscriptions', Icon: SubscriptionIcon },
      { to: '/plans', label: 'Plans', Icon: PlanIcon },
      { to: '/invoices', label: 'Invoices', Icon: InvoiceIcon },
    ],
  },
  {
    title: 'Developers',
    places: [
      { to: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
      { to: '/notifications', label: 'Notifications', Icon: NotificationIcon },
      { to: '/api-keys', label: 'API keys', Icon: KeyIcon },
      { to: '/certificates', label: 'Certificates', Icon: CertificateIcon },
      { to: '/test-clock', label: 'Test clock', Icon: ClockIcon, sandboxOnly: true },
    ],
  },
  {
    title: 'Account',
    places: [
      { to: '/users', label: 'Users', Icon: UsersIcon },
      { to: '/settings', label: 'Settings', Icon: SettingsIcon },
      { to: '/access', label: 'Access', Icon: AccessIcon },
      { to: '/audit', label: 'Audit log', Icon: AuditIcon },
      { to: '/exports', label: 'Exports', Icon: ExportIcon },
      { to: '/mailbox', label: 'Mailbox', Icon: MailIcon },
    ],
  },
];

export function Navigation() {
  const { merchant } = useViewer();
  return (
    <Stack mih="100%" justify="space-between" gap="md">
      <nav aria-label="Main">
        {groups.map((group) => (
          <PlaceGroup key={group.title ?? ''} {...group} />
        ))}
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

function PlaceGroup({ title, places }: (typeof groups)[number]) {
  const { mode } = useMode();
  const id = useId();
  const shown = places.filter(({ sandboxOnly }) => !sandboxOnly || mode === 'sandbox');
  if (title === undefined) return <Places places={shown} />;
  return (
    <>
      <Text id={id} size="xs" fw={600} c="var(--causeway-muted)" px="sm" pt="sm" pb={2}>
        {title}
      </Text>
      <Places places={shown} labelledBy={id} />
    </>
  );
}
