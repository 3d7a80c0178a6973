/** The path of an address of ours: links on a page stay on the origin it was opened at. */
export function toPath(address: string): string {
  const url = new URL(address);
  return url.pathname + url.search;
}
