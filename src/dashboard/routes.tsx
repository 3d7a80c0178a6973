import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { lazyPage } from './shell/lazy-page.tsx';

const HomePage = lazyPage(() => import('./pages/home/home-page.tsx'));
const ChargesPage = lazyPage(() => import('./pages/charge/charges-page.tsx'));
const ChargePage = lazyPage(() => import('./pages/charge/charge-page.tsx'));
const RefundsPage = lazyPage(() => import('./pages/refund/refunds-page.tsx'));
const RefundPage = lazyPage(() => import('./pages/refund/refund-page.tsx'));
const PayoutsPage = lazyPage(() => import('./pages/payout/payouts-page.tsx'));
const ReconciliationPage = lazyPage(() => import('./pages/reconciliation/reconciliation-page.tsx'));
const BooksPage = lazyPage(() => import('./pages/books/books-page.tsx'));
const ExportsPage = lazyPage(() => import('./pages/export/exports-page.tsx'));
const TransfersPage = lazyPage(() => import('./pages/transfer/transfers-page.tsx'));
const TransferPage = lazyPage(() => import('./pages/transfer/transfer-page.tsx'));
const ReviewPage = lazyPage(() => import('./pages/review/review-page.tsx'));
const RulesPage = lazyPage(() => import('./pages/review/rules-page.tsx'));
const StatementsPage = lazyPage(() => import('./pages/statement/statements-page.tsx'));
const NewStatementPage = lazyPage(() => import('./pages/statement/new-statement-page.tsx'));
const StatementPage = lazyPage(() => import('./pages/statement/statement-page.tsx'));
const CustomersPage = lazyPage(() => import('./pages/customer/customers-page.tsx'));
const CustomerPage = lazyPage(() => import('./pages/customer/customer-page.tsx'));
const SubscriptionsPage = lazyPage(() => import('./pages/subscription/subscriptions-page.tsx'));
const SubscriptionPage = lazyPage(() => import('./pages/subscription/subscription-page.tsx'));
const PlansPage = lazyPage(() => import('./pages/subscription-plan/plans-page.tsx'));
const PlanPage = lazyPage(() => import('./pages/subscription-plan/plan-page.tsx'));
const InvoicesPage = lazyPage(() => import('./pages/invoice/invoices-page.tsx'));
const InvoicePage = lazyPage(() => import('./pages/invoice/invoice-page.tsx'));
const TestClockPage = lazyPage(() => import('./pages/test-clock/test-clock-page.tsx'));
const CheckoutLinksPage = lazyPage(() => import('./pages/checkout-link/checkout-links-page.tsx'));
const CounterPage = lazyPage(() => import('./pages/counter/counter-page.tsx'));
const SessionsPage = lazyPage(() => import('./pages/session/sessions-page.tsx'));
const SessionPage = lazyPage(() => import('./pages/session/session-page.tsx'));
const BankFeedsPage = lazyPage(() => import('./pages/bank-feed/bank-feeds-page.tsx'));
const BankFeedPage = lazyPage(() => import('./pages/bank-feed/bank-feed-page.tsx'));
const FeedDeliveryPage = lazyPage(() => import('./pages/bank-feed/feed-delivery-page.tsx'));
const WebhooksPage = lazyPage(() => import('./pages/webhook/webhooks-page.tsx'));
const NotificationsPage = lazyPage(() => import('./pages/notification/notifications-page.tsx'));
const NotificationPage = lazyPage(() => import('./pages/notification/notification-page.tsx'));
const CertificatesPage = lazyPage(() => import('./pages/certificate/certificates-page.tsx'));
const ReceivingAccountsPage = lazyPage(() => import('./pages/receiving-account/receiving-accounts-page.tsx'));
const ReceivingAccountPage = lazyPage(() => import('./pages/receiving-account/receiving-account-page.tsx'));
const NewReceivingAccountPage = lazyPage(
  () => import('./pages/receiving-account/new-receiving-account-page.tsx'),
);
const ApiKeysPage = lazyPage(() => import('./pages/api-key/api-keys-page.tsx'));
const SettingsPage = lazyPage(() => import('./pages/settings/settings-page.tsx'));
const AccessPage = lazyPage(() => import('./pages/access/access-page.tsx'));
const AuditPage = lazyPage(() => import('./pages/audit/audit-page.tsx'));
const MessagesPage = lazyPage(() => import('./pages/message/messages-page.tsx'));
const MessagePage = lazyPage(() => import('./pages/message/message-page.tsx'));

const HelpPage = lazyPage(() => import('./pages/help/help-page.tsx'));
const AccountPage = lazyPage(() => import('./pages/account/account-page.tsx'));
const UsersPage = lazyPage(() => import('./pages/user/users-page.tsx'));

/** The routes of the dashboard. Each page is a separate chunk, which is loaded when the page is opened. */
export function Routes() {
  return (
    <Suspense>
      <Switch>
        <Route path="/" component={HomePage} />
        <Route path="/charges" component={ChargesPage} />
        <Route path="/charges/:id">{({ id }) => <ChargePage key={id} id={id} />}</Route>
        <Route path="/refunds" component={RefundsPage} />
        <Route path="/refunds/:id">{({ id }) => <RefundPage key={id} id={id} />}</Route>
        <Route path="/payouts" component={PayoutsPage} />
        <Route path="/reconciliation" component={ReconciliationPage} />
        <Route path="/books" component={BooksPage} />
        <Route path="/exports" component={ExportsPage} />
        <Route path="/transfers" component={TransfersPage} />
        <Route path="/transfers/:id">{({ id }) => <TransferPage key={id} id={id} />}</Route>
        <Route path="/review" component={ReviewPage} />
        <Route path="/review/rules" component={RulesPage} />
        <Route path="/statements" component={StatementsPage} />
        <Route path="/statements/new" component={NewStatementPage} />
        <Route path="/statements/:id">{({ id }) => <StatementPage key={id} id={id} />}</Route>
        <Route path="/customers" component={CustomersPage} />
        <Route path="/customers/:id">{({ id }) => <CustomerPage key={id} id={id} />}</Route>
        <Route path="/subscriptions" component={SubscriptionsPage} />
        <Route path="/subscriptions/:id">{({ id }) => <SubscriptionPage key={id} id={id} />}</Route>
        <Route path="/plans" component={PlansPage} />
        <Route path="/plans/:id">{({ id }) => <PlanPage key={id} id={id} />}</Route>
        <Route path="/invoices" component={InvoicesPage} />
        <Route path="/invoices/:id">{({ id }) => <InvoicePage key={id} id={id} />}</Route>
        <Route path="/test-clock" component={TestClockPage} />
        <Route path="/checkout-links" component={CheckoutLinksPage} />
        <Route path="/counter" component={CounterPage} />
        <Route path="/sessions" component={SessionsPage} />
        <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
        <Route path="/receiving-accounts" component={ReceivingAccountsPage} />
        <Route path="/receiving-accounts/new" component={NewReceivingAccountPage} />
        <Route path="/receiving-accounts/:id">{({ id }) => <ReceivingAccountPage key={id} id={id} />}</Route>
        <Route path="/bank-feeds" component={BankFeedsPage} />
        <Route path="/bank-feeds/:id">{({ id }) => <BankFeedPage key={id} id={id} />}</Route>
        <Route path="/feed-deliveries/:id">{({ id }) => <FeedDeliveryPage key={id} id={id} />}</Route>
        <Route path="/webhooks" component={WebhooksPage} />
        <Route path="/notifications" component={NotificationsPage} />
        <Route path="/notifications/:id">{({ id }) => <NotificationPage key={id} id={id} />}</Route>
        <Route path="/certificates" component={CertificatesPage} />
        <Route path="/api-keys" component={ApiKeysPage} />
        <Route path="/users" component={UsersPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/settings" component={SettingsPage} />
        <Route path="/access" component={AccessPage} />
        <Route path="/audit" component={AuditPage} />
        <Route path="/mailbox" component={MessagesPage} />
        <Route path="/mailbox/:id">{({ id }) => <MessagePage key={id} id={id} />}</Route>
        <Route path="/help/*">{({ '*': slug }) => <HelpPage slug={slug} />}</Route>
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  );
}
