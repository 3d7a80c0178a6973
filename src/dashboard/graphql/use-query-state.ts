import { useCallback } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  type DocumentInput,
  stringifyVariables,
  type UseQueryArgs,
  useQuery,
} from 'urql';

/** The latest result of a query, and a function that reloads it from the network. */
export type QueryState<Data> = {
  data: Data | undefined;
  /** Whether `data` is the result for the present variables; until the response arrives, it is the previous one. */
  isCurrent: boolean;
  error: CombinedError | undefined;
  /** Whether a response is pending. */
  isLoading: boolean;
  refresh: () => void;
};

type VariablesArgument<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** Runs a query; cached data is shown until the response arrives. */
export function useCachedQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  ...[variables]: VariablesArgument<Variables>
): QueryState<Data> {
  return useQueryState({ query, variables: variables ?? {} } as UseQueryArgs<Variables, Data>);
}

/** Runs a query without cached data, for forms that must start with the current state. */
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
  const [{ data, error, fetching, stale, operation }, reload] = useQuery<Data, Variables>(args);
  const isCurrent =
    operation !== undefined && stringifyVariables(operation.variables) === stringifyVariables(args.variables);
  const refresh = useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]);
  // The response has null for failed queries.
  return { data: data ?? undefined, isCurrent, error, isLoading: fetching || stale, refresh };
}
