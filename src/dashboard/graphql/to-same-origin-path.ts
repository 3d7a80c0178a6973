/** An address of the API's without its origin: asked for at the one this page came from, the session goes with it. */
export function toSameOriginPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
