/** Returns the path and query of one of our URLs, so that links stay on the origin of the page. */
export function toPath(absoluteUrl: string): string {
  const url = new URL(absoluteUrl);
  return url.pathname + url.search;
}
