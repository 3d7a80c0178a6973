/** Removes the origin of an API URL, so that the browser requests it from the page's origin with the session cookie. */
export function toSameOriginPath(apiUrl: string): string {
  const { pathname, search } = new URL(apiUrl);
  return pathname + search;
}
