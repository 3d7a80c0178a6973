/** The path of the list of objects, by the prefix of their ID. */
const listPaths: Readonly<Record<string, string>> = {
  ch: '/charges',
  re: '/refunds',
  tr: '/transfers',
  cus: '/customers',
  sub: '/subscriptions',
  pl: '/plans',
  in: '/invoices',
  ses: '/sessions',
  st: '/statements',
  acc: '/receiving-accounts',
  feed: '/bank-feeds',
};

/** Returns the path of the object's page, or undefined if it has none. */
export function getObjectPath(id: string): string | undefined {
  const path = listPaths[id.slice(0, id.indexOf('_'))];
  return path && `${path}/${id}`;
}
