import { operations, type RestOperation } from './operations.ts';

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

const operationsByRoute = new Map(
  Object.entries(operations).map(([route, operation]) => [
    route.replaceAll(/\{(\w+)\}/g, ':$1'),
    { ...operation, name: graphqlNames[operation.operationId] ?? operation.operationId },
  ]),
);

/**
 * Returns the operation of a route, with its GraphQL name, or undefined for an undocumented route. HEAD requests have
 * the operation of GET requests.
 */
export function findOperation(method: string, url: string): (RestOperation & { name: string }) | undefined {
  return operationsByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
}
