/**
 * Shares one reading among all who ask for the same thing while it is under way: what a busy key asks for with every
 * request is read once for many. Nobody gets what is older than the reading that was under way when they asked.
 */
export function sharingFlights<Source extends object, T>(
  read: (source: Source, name: string) => Promise<T>,
): (source: Source, name: string) => Promise<T> {
  const flights = new WeakMap<Source, Map<string, Promise<T>>>();
  return (source, name) => {
    const known = flights.get(source) ?? new Map<string, Promise<T>>();
    flights.set(source, known);
    const flight = known.get(name);
    if (flight) return flight;
    const begun = read(source, name).finally(() => known.delete(name));
    known.set(name, begun);
    return begun;
  };
}
