import { chooseReader } from '../../src/domain/platform/service.ts';
import type { StaleReader } from '../../src/kit/read-replicas.ts';
import type { StaleReads } from '../../src/kit/stale-reads.ts';
import type { GraphqlContext } from './graphql-context.ts';

/** The server chosen for each operation, so that all its figures and `figuresAsOf` agree. */
const choices = new WeakMap<GraphqlContext, Promise<StaleReader>>();

/** Chooses a standby, or the primary, for all figures of this operation. */
export function chooseFiguresReader(context: GraphqlContext): Promise<StaleReader> {
  const choice = choices.get(context) ?? chooseReader(context.service);
  choices.set(context, choice);
  return choice;
}

/** Reads figures that may be some seconds old. Lists and single objects must not use this. */
export async function readStaleFigures<T>(
  context: GraphqlContext,
  work: (reads: StaleReads) => Promise<T>,
): Promise<T> {
  return (await chooseFiguresReader(context)).read(work);
}
