/** Returns the path and query of one of our URLs, so that links stay on the origin of the page. */
export function toPath(address: string): string {
  const url = new URL(address);
  return url.pathname + url.search;
}
