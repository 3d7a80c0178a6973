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
  // The part of the page to show instead of the default: `methods` to choose another method, or `new` to start another
  // payment.
  'view',
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

/** `subpath` selects a subresource, such as `/live`. */
export function toCheckoutUrl(query: CheckoutQuery, subpath = ''): string {
  return `/checkout${subpath}?${new URLSearchParams(query)}`;
}

export function toViewUrl({ view: _, ...query }: CheckoutQuery, view?: 'methods' | 'new'): string {
  return toCheckoutUrl({ ...query, ...(view && { view }) });
}

/**
 * Returns the relative URL of a charge's page. It keeps the mode, the language and the terms of a checkout URL, with
 * which the customer can start again.
 */
export function toChargeUrl(clientToken: string, query: CheckoutQuery): string {
  const { link: _, charge: _charge, ...kept } = query;
  return toViewUrl({ charge: clientToken, ...kept });
}

/** The maximum length of the URL of a page in a QR code that phones can read from a screen. */
const qrUrlLengthMax = 400;
const qrParameters = ['charge', 'sessionId', 'isSandbox', 'lang'] as const;

/**
 * Returns the relative URL of a payment's page for a QR code, without the terms of a checkout URL, which may be too
 * long for one. Returns undefined if the query names no payment.
 */
export function toQrUrl(query: CheckoutQuery, subpath = ''): string | undefined {
  if (query.charge === undefined && query.sessionId === undefined) return undefined;
  const entries = qrParameters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  const url = toCheckoutUrl(Object.fromEntries(entries), subpath);
  return url.length > qrUrlLengthMax ? undefined : url;
}

/** Returns the relative URL at which the customer starts again, or undefined if the query has no terms. */
export function toStartUrl(query: CheckoutQuery, linkId: string | undefined): string | undefined {
  const { charge: _, sessionId: _session, ...terms } = query;
  const { amount, isSandbox, lang } = query;
  if (linkId !== undefined)
    return toCheckoutUrl({
      link: linkId,
      ...(amount && { amount }),
      ...(isSandbox && { isSandbox }),
      ...(lang && { lang }),
    });
  return query.apiKey === undefined ? undefined : toViewUrl(terms);
}
