import { useEffect, useRef } from 'react';
import { type AnyVariables, createRequest, type DocumentInput, useClient } from 'urql';
import { followChanges } from './follow-changes.ts';

/**
 * Calls `onChange` soon after each live change that `concerns` the page; the first one comes at once, so that nothing is
 * missed between reading and listening.
 */
export function useLive<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  onChange: () => void,
  concerns: (data: Data) => boolean = () => true,
): void {
  const client = useClient();
  const latest = useRef({ onChange, concerns });
  latest.current = { onChange, concerns };
  const request = createRequest<Data, Variables>(query, variables);
  const asked = useRef(request);
  asked.current = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests with one key are the same
  useEffect(
    () =>
      followChanges(client.executeSubscription<Data, Variables>(asked.current), {
        concerns: (data) => latest.current.concerns(data),
        onChange: () => latest.current.onChange(),
      }),
    [client, request.key],
  );
}
