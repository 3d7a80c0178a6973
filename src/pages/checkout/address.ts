/** The query parameters of the checkout address that mean something here; others are ignored. */
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

/** Reads the query; of a parameter given twice the first counts. */
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

/** The address with this query: of the page (`/checkout`), or of something beside it (`/checkout/live`). */
export function checkoutAddress(query: CheckoutQuery, path = ''): string {
  return `/checkout${path}?${new URLSearchParams(query)}`;
}

/** The page of a charge, for whoever has just made it. */
export function chargeAddress(clientToken: string, query: CheckoutQuery): string {
  const { isSandbox, lang } = query;
  return checkoutAddress({ charge: clientToken, ...(isSandbox && { isSandbox }), ...(lang && { lang }) });
}
