import { operations } from './operations.ts';

/** Operations whose GraphQL field has another name. */
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
  // A file is uploaded for an import and belongs to its statement.
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

/**
 * Returns the GraphQL name of a route's operation; HEAD has that of GET. Returns undefined for an
 * undocumented route.
 */
export function getOperationName(method: string, url: string): string | undefined {
  return namesByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
}
