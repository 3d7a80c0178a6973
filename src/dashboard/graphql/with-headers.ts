import { makeOperation, type Operation } from 'urql';

export function withHeaders(
  operation: Operation,
  headers: Record<string, string>,
  context: object = {},
): Operation {
  const { fetchOptions } = operation.context;
  const options = typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions;
  return makeOperation(operation.kind, operation, {
    ...operation.context,
    ...context,
    fetchOptions: { ...options, headers: { ...options?.headers, ...headers } },
  });
}
