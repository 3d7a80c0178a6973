import type { CombinedError } from 'urql';
import { capitalised } from '../format/words.ts';
import { graphql } from './graphql.ts';

/** What every mutation asks of its refusal: why in words, and what is wrong with single fields of the input. */
export const refusalFields = graphql(`
  fragment Refusal on Error {
    code
    message
    ... on InvalidRequestError {
      errors {
        path
        message
      }
    }
    ... on UnprocessableError {
      errors {
        path
        message
      }
    }
  }
`);

/** What any result union may hold besides its success. */
type Refusal = { __typename: string; code: string; message: string };

/** The data of a mutation: what came of it, by its name. */
export type Answer = Record<string, { __typename: string } | null> | null | undefined;

/** What a mutation answered. */
export type Answered = { data?: Answer; error?: CombinedError | undefined };

/** The sentence to show when a mutation did not succeed; undefined when it did. */
export function refusalOf(outcome: Answered): string | undefined {
  if (outcome.error) return errorText(outcome.error);
  const [result] = Object.values(outcome.data ?? {});
  return result && 'code' in result ? (result as Refusal).message : undefined;
}

/** By the whole path of a field, such as `recurringPayment/count`. */
export type Faults = Record<string, string>;

/** What is wrong with single fields of the input, ready to stand beside them. */
export function faultsOf({ data, error }: Answered): Faults {
  const [result] = Object.values(data ?? {});
  const told = result && 'errors' in result ? (result.errors as { path: string; message: string }[]) : [];
  const faults = [
    ...told,
    ...(error?.graphQLErrors ?? []).flatMap(({ message }) => unreadable(message) ?? []),
  ];
  return Object.fromEntries(
    faults.map(({ path, message }) => [path.replace(/^\//, ''), capitalised(message)]),
  );
}

/** What is wrong with a field or any part of it, by the path of the field. */
export function faultUnder(faults: Faults, path: string): string | undefined {
  return Object.entries(faults).find(([at]) => at === path || at.startsWith(`${path}/`))?.[1];
}

/** The words of the server’s engine for a value that is none of its type, such as `abc` for an amount. */
const unreadableForm = /^Variable "\$input" has invalid value at \.([^:]+): (must be .+)$/s;

/** The same as the API says it of a value that it can read: by its path, and without the words of programmers. */
function unreadable(message: string): { path: string; message: string } | undefined {
  const [, at = '', what = ''] = unreadableForm.exec(message) ?? [];
  if (at === '') return undefined;
  const path = at.replaceAll('].', '/').replaceAll(/[.[]/g, '/').replace(']', '');
  return { path, message: what.replace(' in a string', '').replaceAll('"', '') };
}

/** An error in words for people. */
export function errorText(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return first.extensions.code === 'unavailable' ? busyText : plainText(first.message);
  // Of a proxy before the service, too, which knows nothing of GraphQL.
  const { status } = (error.response ?? {}) as { status?: number };
  if (status === 429) return 'Too many requests. Wait a moment and try again.';
  if (status !== undefined && status >= 500) return busyText;
  return 'Can’t reach the server. Check your connection and try again.';
}

const busyText = 'The service is temporarily unavailable. Wait a moment and try again.';

/** A sentence of the engine names the field by its path; the path's last part is enough. */
function plainText(message: string): string {
  const fault = unreadable(message);
  return fault ? `${capitalised(fault.path.split('/').at(-1) ?? '')} ${fault.message}` : message;
}
