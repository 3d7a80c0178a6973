import { operations } from './operations.ts';

/** Operations that GraphQL names by the noun alone. */
const graphqlNames: Record<string, string> = {
  listCharges: 'charges',
  getCharge: 'charge',
  listRefunds: 'refunds',
  getRefund: 'refund',
  getSession: 'session',
  getSessionCharge: 'session',
  listSubscriptions: 'subscriptions',
  getSubscription: 'subscription',
  listSubscriptionPlans: 'subscriptionPlans',
  getSubscriptionPlan: 'subscriptionPlan',
  listMethods: 'paymentMethods',
  listCurrencies: 'currencies',
  convert: 'forex',
  getTranslation: 'translation',
  // A file is sent to be imported, and is a part of its statement.
  uploadFile: 'importStatement',
  getStatementFile: 'statement',
  getExportFile: 'export',
};

const namesByRoute = new Map(
  Object.entries(operations).map(([route, { operationId }]) => [
    route.replaceAll(/\{(\w+)\}/g, ':$1'),
    graphqlNames[operationId] ?? operationId,
  ]),
);

/** What a route does, by its name in GraphQL; a HEAD asks for what a GET does. Undefined for no documented route. */
export function getOperationName(method: string, url: string): string | undefined {
  return namesByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
}
