import { useCallback } from 'react';
import { type AnyVariables, type CombinedError, type DocumentInput, type UseQueryArgs, useQuery } from 'urql';

/** What a query answered so far, and the way to ask it again past what is kept. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: CombinedError | undefined;
  /** Whether an answer is still to come. */
  isLoading: boolean;
  refresh: () => void;
};

type VariablesArgument<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** Reads by a query; what was read before shows until the new answer is there. */
export function useCachedQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  ...[variables]: VariablesArgument<Variables>
): QueryState<Data> {
  return useQueryState({ query, variables: variables ?? {} } as UseQueryArgs<Variables, Data>);
}

/** The same, of what a form begins with: nothing shows until it is as it stands now. */
export function useFreshQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  ...[variables]: VariablesArgument<Variables>
): QueryState<Data> {
  const args = { query, variables: variables ?? {}, requestPolicy: 'network-only' };
  return useQueryState(args as UseQueryArgs<Variables, Data>);
}

function useQueryState<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): QueryState<Data> {
  const [{ data, error, fetching, stale }, reload] = useQuery<Data, Variables>(args);
  const refresh = useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]);
  // What could not be answered at all is null on the wire.
  return { data: data ?? undefined, error, isLoading: fetching || stale, refresh };
}
