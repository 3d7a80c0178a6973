import { chooseReader } from '../../src/domain/platform/service.ts';
import type { StaleReader } from '../../src/kit/read-replicas.ts';
import type { StaleReads } from '../../src/kit/stale-reads.ts';
import type { GraphqlContext } from './graphql-context.ts';

/** The server chosen for each operation, so that all its totals and `dataAsOf` agree. */
const choices = new WeakMap<GraphqlContext, Promise<StaleReader>>();

/** Chooses a standby, or the primary, for all totals of this operation. */
export function chooseStaleReader(context: GraphqlContext): Promise<StaleReader> {
  const choice = choices.get(context) ?? chooseReader(context.service);
  choices.set(context, choice);
  return choice;
}

/** Reads totals that may be some seconds old. Lists and single objects must not use this. */
export async function readStale<T>(
  context: GraphqlContext,
  work: (reads: StaleReads) => Promise<T>,
): Promise<T> {
  return (await chooseStaleReader(context)).read(work);
}
