/** The query parameters that the checkout supports; others are ignored. */
const parameterNames = [
  'charge',
  'sessionId',
  'link',
  'apiKey',
  'amount',
  'currency',
  'notifyPayload',
  'notifyUrl',
  'hash',
  'isSandbox',
  'lang',
] as const;

export type CheckoutQuery = Partial<Record<(typeof parameterNames)[number], string>>;

/** Reads the query. If a parameter is repeated, the first value is used. */
export function readCheckoutQuery(query: unknown): CheckoutQuery {
  const parameters = new Map(Object.entries(query as Record<string, string | string[]>));
  const result: CheckoutQuery = {};
  for (const name of parameterNames) {
    const value = parameters.get(name);
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && text !== '') result[name] = text;
  }
  return result;
}

/** Returns the checkout URL with this query. `path` selects a subresource, such as `/live`. */
export function checkoutAddress(query: CheckoutQuery, path = ''): string {
  return `/checkout${path}?${new URLSearchParams(query)}`;
}

/** Returns the URL of a charge's page, for the customer who has just created it. */
export function chargeAddress(clientToken: string, query: CheckoutQuery): string {
  const { isSandbox, lang } = query;
  return checkoutAddress({ charge: clientToken, ...(isSandbox && { isSandbox }), ...(lang && { lang }) });
}
