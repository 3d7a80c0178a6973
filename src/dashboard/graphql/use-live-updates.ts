import { useEffect, useRef } from 'react';
import { type AnyVariables, createRequest, type DocumentInput, useClient } from 'urql';

/**
 * Calls `onChange` after live changes that are relevant to the page. A subscription starts with the current state,
 * so no change between loading and subscribing is missed.
 */
export function useLiveUpdates<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  onChange: () => void,
  isRelevant: (data: Data) => boolean = () => true,
): void {
  const client = useClient();
  const latest = useRef({ onChange, isRelevant });
  latest.current = { onChange, isRelevant };
  const request = createRequest<Data, Variables>(query, variables);
  const requestRef = useRef(request);
  requestRef.current = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests with the same key are equal.
  useEffect(
    () =>
      followChanges(client.executeSubscription<Data, Variables>(requestRef.current), {
        isRelevant: (data) => latest.current.isRelevant(data),
        onChange: () => latest.current.onChange(),
      }),
    [client, request.key],
  );
}

/** Limits reloads when many changes arrive at once. */
const throttleMs = 300;

type ChangeSource<Data> = {
  subscribe: (onResult: (result: { data?: Data | undefined }) => void) => { unsubscribe: () => void };
};

/**
 * Calls `onChange` after relevant changes: immediately, then at most once per throttle interval. Returns a
 * function that unsubscribes.
 */
export function followChanges<Data>(
  changes: ChangeSource<Data>,
  { isRelevant, onChange }: { isRelevant: (data: Data) => boolean; onChange: () => void },
): () => void {
  let throttledUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = () => {
    timer = undefined;
    throttledUntil = performance.now() + throttleMs;
    onChange();
  };
  const { unsubscribe } = changes.subscribe(({ data }) => {
    // Checks every value, because an irrelevant one may immediately follow a relevant one.
    if (data === undefined || data === null || !isRelevant(data)) return;
    timer ??= setTimeout(call, Math.max(0, throttledUntil - performance.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}
