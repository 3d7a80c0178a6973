import { useCallback } from 'react';
import { type AnyVariables, type CombinedError, type DocumentInput, type UseQueryArgs, useQuery } from 'urql';

/** What a query answered so far, and the way to ask it again past what is kept. */
export type Read<Data> = {
  data: Data | undefined;
  error: CombinedError | undefined;
  /** Whether an answer is still to come. */
  isLoading: boolean;
  refresh: () => void;
};

type Variable<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** Reads by a query; what was read before shows until the new answer is there. */
export function useRead<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  ...[variables]: Variable<Variables>
): Read<Data> {
  return useAnswer({ query, variables: variables ?? {} } as UseQueryArgs<Variables, Data>);
}

/** The same, of what a form begins with: nothing shows until it is as it stands now. */
export function useReadNow<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  ...[variables]: Variable<Variables>
): Read<Data> {
  const args = { query, variables: variables ?? {}, requestPolicy: 'network-only' };
  return useAnswer(args as UseQueryArgs<Variables, Data>);
}

function useAnswer<Data, Variables extends AnyVariables>(args: UseQueryArgs<Variables, Data>): Read<Data> {
  const [{ data, error, fetching, stale }, reload] = useQuery<Data, Variables>(args);
  const refresh = useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]);
  // What could not be answered at all is null on the wire.
  return { data: data ?? undefined, error, isLoading: fetching || stale, refresh };
}
