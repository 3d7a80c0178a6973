import { Group, NavLink, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
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
import classes from './shell.module.css';

type PlaceInfo = {
  to: string;
  pattern: string;
  label: string;
  Icon: () => ReactNode;
  sandboxOnly?: true;
};

/** What belongs together, in the order in which it is looked for. */
const groups: { title?: string; places: PlaceInfo[] }[] = [
  {
    places: [{ to: '/', pattern: '/', label: 'Home', Icon: HomeIcon }],
  },
  {
    title: 'Payments',
    places: [
      { to: '/charges', pattern: '/charges/*?', label: 'Charges', Icon: ChargeIcon },
      { to: '/refunds', pattern: '/refunds/*?', label: 'Refunds', Icon: RefundIcon },
      { to: '/checkout-links', pattern: '/checkout-links', label: 'Checkout links', Icon: LinkIcon },
      { to: '/sessions', pattern: '/sessions/*?', label: 'Sessions', Icon: SessionIcon },
    ],
  },
  {
    title: 'Money',
    places: [
      { to: '/transfers', pattern: '/transfers/*?', label: 'Transfers', Icon: TransferIcon },
      { to: '/statements', pattern: '/statements/*?', label: 'Statements', Icon: StatementIcon },
      { to: '/payouts', pattern: '/payouts', label: 'To pay', Icon: PayoutIcon },
      { to: '/reconciliation', pattern: '/reconciliation', label: 'Reconciliation', Icon: BooksIcon },
      {
        to: '/receiving-accounts',
        pattern: '/receiving-accounts/*?',
        label: 'Receiving accounts',
        Icon: AccountIcon,
      },
    ],
  },
  {
    title: 'Subscriptions',
    places: [
      { to: '/subscriptions', pattern: '/subscriptions/*?', label: 'Subscriptions', Icon: SubscriptionIcon },
      { to: '/plans', pattern: '/plans/*?', label: 'Plans', Icon: PlanIcon },
      { to: '/invoices', pattern: '/invoices/*?', label: 'Invoices', Icon: InvoiceIcon },
    ],
  },
  {
    title: 'Developers',
    places: [
      { to: '/webhooks', pattern: '/webhooks', label: 'Webhooks', Icon: WebhookIcon },
      { to: '/notifications', pattern: '/notifications/*?', label: 'Notifications', Icon: NotificationIcon },
      { to: '/api-keys', pattern: '/api-keys', label: 'API keys', Icon: KeyIcon },
      { to: '/certificates', pattern: '/certificates', label: 'Certificates', Icon: CertificateIcon },
      { to: '/test-clock', pattern: '/test-clock', label: 'Test clock', Icon: ClockIcon, sandboxOnly: true },
    ],
  },
  {
    title: 'Account',
    places: [
      { to: '/users', pattern: '/users', label: 'Users', Icon: UsersIcon },
      { to: '/settings', pattern: '/settings', label: 'Settings', Icon: SettingsIcon },
      { to: '/access', pattern: '/access', label: 'Access', Icon: AccessIcon },
      { to: '/audit', pattern: '/audit', label: 'Audit log', Icon: AuditIcon },
      { to: '/exports', pattern: '/exports', label: 'Exports', Icon: ExportIcon },
      { to: '/mailbox', pattern: '/mailbox/*?', label: 'Mailbox', Icon: MailIcon },
    ],
  },
];

export function Navigation() {
  const { merchant } = useViewer();
  return (
    <Stack mih="100%" justify="space-between" gap="md">
      <nav aria-label="Main">
        {groups.map((group) => (
          <Places key={group.title ?? ''} {...group} />
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

function Places({ title, places }: (typeof groups)[number]) {
  const { mode } = useMode();
  const id = useId();
  const shown = places.filter(({ sandboxOnly }) => !sandboxOnly || mode === 'sandbox');
  return (
    <>
      {title !== undefined && (
        <Text id={id} size="xs" fw={600} c="var(--causeway-muted)" px="sm" pt="sm" pb={2}>
          {title}
        </Text>
      )}
      <ul className={classes.places} {...(title !== undefined && { 'aria-labelledby': id })}>
        {shown.map((place) => (
          <li key={place.to}>
            <Place {...place} />
          </li>
        ))}
      </ul>
    </>
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
      py={5}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
