import type { CombinedError } from 'urql';

/** What any result union may hold besides its success. */
type Refusal = { __typename: string; code: string; message: string };

/** What a mutation answered. */
export type Answered = { data?: Answer; error?: CombinedError | undefined };

/** The sentence to show when a mutation did not succeed; undefined when it did. */
export function refusalOf(outcome: Answered): string | undefined {
  if (outcome.error) return errorText(outcome.error);
  const [result] = Object.values(outcome.data ?? {});
  return result && 'code' in result ? (result as Refusal).message : undefined;
}

type Answer = Record<string, { __typename: string } | null> | null | undefined;

/** What is wrong with single fields of the input, by the name of the field, ready to stand beside it. */
export function faultsOf(data: Answer): Record<string, string> {
  return Object.fromEntries(readFaults(data).map(([path, text]) => [path.split('/')[0] ?? '', text]));
}

/** The same by the whole path, such as `recurringPayment/count`. */
export function faultsByPath(data: Answer): Record<string, string> {
  return Object.fromEntries(readFaults(data));
}

/** What is wrong with a field or any part of it, by the path of the field. */
export function faultUnder(faults: Record<string, string>, path: string): string | undefined {
  return Object.entries(faults).find(([at]) => at === path || at.startsWith(`${path}/`))?.[1];
}

function readFaults(data: Answer): [path: string, text: string][] {
  const [result] = Object.values(data ?? {});
  const faults = result && 'errors' in result ? (result.errors as { path: string; message: string }[]) : [];
  return faults.map(({ path, message }) => [
    path.replace(/^\//, ''),
    `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
  ]);
}

/** An error in words for people. */
export function errorText(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return first.extensions.code === 'unavailable' ? busyText : first.message;
  // Of a proxy before the service, too, which knows nothing of GraphQL.
  const { status } = (error.response ?? {}) as { status?: number };
  if (status === 429) return 'Too many requests came in a short time. Wait a moment and try again.';
  if (status !== undefined && status >= 500) return busyText;
  return 'The server does not answer. Check your connection and try again.';
}

const busyText = 'The service is not available at the moment. Wait a little and try again.';
