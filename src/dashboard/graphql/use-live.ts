import { useEffect, useRef } from 'react';
import { type AnyVariables, type DocumentInput, useSubscription } from 'urql';

/** Many changes in a moment lead to one more reading, not many. */
const restMs = 300;

/**
 * Calls `onChange` soon after each live change, with the newest of them; the first one comes at once, so that nothing
 * is missed between reading and listening.
 */
export function useLive<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  onChange: (data: Data) => void,
): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const [{ data }] = useSubscription<Data, Data, Variables>({ query, variables } as never);
  const restUntil = useRef(0);
  useEffect(() => {
    if (data === undefined) return;
    const timer = setTimeout(
      () => {
        restUntil.current = performance.now() + restMs;
        latest.current(data);
      },
      Math.max(0, restUntil.current - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [data]);
}
