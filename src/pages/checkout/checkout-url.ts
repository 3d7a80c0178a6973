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

/** Returns the relative URL of the checkout with this query. `subpath` selects a subresource, such as `/live`. */
export function toCheckoutUrl(query: CheckoutQuery, subpath = ''): string {
  return `/checkout${subpath}?${new URLSearchParams(query)}`;
}

/** Returns the relative URL of a charge's page. It keeps the mode and the language of `query`. */
export function toChargeUrl(clientToken: string, query: CheckoutQuery): string {
  const { isSandbox, lang } = query;
  return toCheckoutUrl({ charge: clientToken, ...(isSandbox && { isSandbox }), ...(lang && { lang }) });
}
