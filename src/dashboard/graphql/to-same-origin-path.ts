/** Removes the origin of an API URL, so that the browser requests it from the page's origin with the session cookie. */
export function toSameOriginPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
