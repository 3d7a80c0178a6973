import {
  AccessIcon,
  AccountIcon,
  AuditIcon,
  BooksIcon,
  CertificateIcon,
  ChargeIcon,
  ClockIcon,
  ExportIcon,
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
import { t } from '../language/texts.ts';
import type { ViewerPermission } from '../viewer.ts';
import type { NavItem } from './nav-links.tsx';
import { PayoutCount, ReviewCount } from './open-counts.tsx';

export type MerchantNavItem = NavItem & {
  isSandboxOnly?: true;
  /** Whether the page is useful only to owners, and shows others whom to ask. */
  isOwnerOnly?: true;
  /** Without this permission, the user cannot use the page, and does not see the item. */
  permission?: ViewerPermission;
};

export type NavGroupProps = {
  /** Identifies the group in the browser's storage. */
  id: string;
  title: string;
  items: MerchantNavItem[];
  /** Whether the group is folded until the user opens it. */
  isFolded?: boolean;
};

/** Navigation items by topic, in the order of use. The pages for developers come last and are folded. */
export const navGroups: NavGroupProps[] = [
  {
    id: 'payments',
    title: t.common.payments,
    items: [
      { to: '/charges', label: t.common.charges, Icon: ChargeIcon },
      { to: '/refunds', label: t.common.refunds, Icon: RefundIcon },
      { to: '/customers', label: t.common.customers, Icon: UsersIcon },
      { to: '/checkout-links', label: t.shell.checkoutLinks, Icon: LinkIcon },
      { to: '/counter', label: t.shell.counter, Icon: SessionIcon, permission: 'sell' },
    ],
  },
  {
    id: 'money',
    title: t.shell.money,
    items: [
      { to: '/review', label: t.common.needsReview, Icon: AuditIcon, Count: ReviewCount },
      { to: '/transfers', label: t.common.transfers, Icon: TransferIcon },
      { to: '/statements', label: t.common.statements, Icon: StatementIcon },
      { to: '/payouts', label: t.shell.refundPayouts, Icon: PayoutIcon, Count: PayoutCount },
      { to: '/reconciliation', label: t.shell.reconciliation, Icon: BooksIcon },
      { to: '/books', label: t.shell.books, Icon: BooksIcon },
      { to: '/receiving-accounts', label: t.common.receivingAccounts, Icon: AccountIcon },
      { to: '/bank-feeds', label: t.common.bankFeeds, Icon: TransferIcon },
    ],
  },
  {
    id: 'subscriptions',
    title: t.common.subscriptions,
    items: [
      { to: '/subscriptions', label: t.common.subscriptions, Icon: SubscriptionIcon },
      { to: '/plans', label: t.shell.plans, Icon: PlanIcon },
      { to: '/invoices', label: t.common.invoices, Icon: InvoiceIcon },
    ],
  },
  {
    id: 'business',
    title: t.shell.business,
    items: [
      { to: '/settings', label: t.common.settings, Icon: SettingsIcon },
      { to: '/users', label: t.shell.users, Icon: UsersIcon, isOwnerOnly: true },
      { to: '/mailbox', label: t.shell.sentMessages, Icon: MailIcon },
      { to: '/exports', label: t.common.exports, Icon: ExportIcon },
      { to: '/audit', label: t.shell.auditLog, Icon: AuditIcon, isOwnerOnly: true },
    ],
  },
  {
    id: 'developers',
    title: t.shell.developers,
    isFolded: true,
    items: [
      { to: '/sessions', label: t.common.sessions, Icon: SessionIcon },
      { to: '/webhooks', label: t.common.webhooks, Icon: WebhookIcon },
      { to: '/notifications', label: t.common.notifications, Icon: NotificationIcon },
      { to: '/api-keys', label: t.common.apiKeys, Icon: KeyIcon },
      { to: '/certificates', label: t.common.certificates, Icon: CertificateIcon },
      { to: '/access', label: t.shell.apiAccess, Icon: AccessIcon },
      { to: '/test-clock', label: t.common.testClock, Icon: ClockIcon, isSandboxOnly: true },
    ],
  },
];
