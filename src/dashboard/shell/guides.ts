/** The guide of each page, by the first part of its path. */
const guidesByPage: Record<string, string> = {
  '': 'guides/dashboard',
  charges: 'guides/checkout',
  sessions: 'guides/checkout',
  'checkout-links': 'guides/dashboard#create-a-link-or-a-session',
  counter: 'guides/counter',
  refunds: 'guides/refunds',
  payouts: 'guides/refunds',
  customers: 'guides/personal-data',
  review: 'guides/transfers',
  transfers: 'guides/transfers',
  statements: 'guides/statements',
  reconciliation: 'guides/reconciliation',
  books: 'guides/reconciliation#books',
  exports: 'guides/reconciliation',
  'receiving-accounts': 'guides/receiving-accounts',
  'bank-feeds': 'guides/feeds/README',
  'feed-deliveries': 'guides/feeds/README',
  subscriptions: 'guides/subscriptions',
  plans: 'guides/subscriptions',
  invoices: 'guides/subscriptions',
  'test-clock': 'guides/subscriptions',
  webhooks: 'guides/webhooks',
  notifications: 'guides/webhooks',
  certificates: 'guides/webhooks',
  'api-keys': 'guides/settings#api-keys',
  access: 'guides/settings#restricted-access',
  users: 'guides/users',
  account: 'guides/users',
  audit: 'guides/settings#audit-log',
  settings: 'guides/settings',
  mailbox: 'operations/mail-and-sms',
  merchants: 'operations/manage-merchants',
  requests: 'operations/manage-merchants',
  rates: 'operations/exchange-rates',
  health: 'operations/monitor',
  jobs: 'operations/monitor',
};

export function getGuidePath(location: string): string {
  const [, page = ''] = location.split(/[/?#]/);
  return `/help/${guidesByPage[page] ?? 'guides/README'}`;
}
