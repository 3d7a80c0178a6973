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
  // Uploads and downloads are disabled together with the operations that they belong to.
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
 * Returns the GraphQL name of a route's operation, or undefined for an undocumented route. HEAD requests have the name
 * of GET requests.
 */
export function getOperationName(method: string, url: string): string | undefined {
  return namesByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
}
