/** Whoever is to be told of errors, where there must be none. */
export function fail(error: Error): never {
  throw error;
}
