import { useEffect, useRef } from 'react';
import { type AnyVariables, createRequest, type DocumentInput, useClient } from 'urql';

/**
 * Calls `onChange` soon after each live change that `concerns` the page; the first one comes at once, so that nothing is
 * missed between reading and listening.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests with one key are the same
  useEffect(
    () =>
      followChanges(client.executeSubscription<Data, Variables>(requestRef.current), {
        isRelevant: (data) => latest.current.isRelevant(data),
        onChange: () => latest.current.onChange(),
      }),
    [client, request.key],
  );
}

/** Many changes in a moment lead to one more reading, not many. */
const throttleMs = 300;

type ChangeSource<Data> = {
  subscribe: (onResult: (result: { data?: Data | undefined }) => void) => { unsubscribe: () => void };
};

/**
 * Calls `onChange` soon after what `concerns` one has changed: at once, and then once for all that changes within the
 * rest. Answers what ends it.
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
    // Each is looked at: the one that concerns us may be followed by others at once.
    if (data === undefined || data === null || !isRelevant(data)) return;
    timer ??= setTimeout(call, Math.max(0, throttledUntil - performance.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}
