import type { CombinedError } from 'urql';
import { capitalize } from '../format/labels.ts';
import { graphql } from './graphql.ts';

/** What every mutation asks of its refusal: why in words, and what is wrong with single fields of the input. */
export const errorFields = graphql(`
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
type ErrorPayload = { __typename: string; code: string; message: string };

/** The data of a mutation: what came of it, by its name. */
export type MutationData = Record<string, { __typename: string } | null> | null | undefined;

/** What a mutation answered. */
export type MutationResponse = { data?: MutationData; error?: CombinedError | undefined };

/** The sentence to show when a mutation did not succeed; undefined when it did. */
export function getErrorMessage(outcome: MutationResponse): string | undefined {
  if (outcome.error) return formatError(outcome.error);
  const [result] = Object.values(outcome.data ?? {});
  return result && 'code' in result ? (result as ErrorPayload).message : undefined;
}

/** By the whole path of a field, such as `recurringPayment/count`. */
export type FieldErrors = Record<string, string>;

/** What is wrong with single fields of the input, ready to stand beside them. */
export function getFieldErrors({ data, error }: MutationResponse): FieldErrors {
  const [result] = Object.values(data ?? {});
  const reportedErrors =
    result && 'errors' in result ? (result.errors as { path: string; message: string }[]) : [];
  const fieldErrors = [
    ...reportedErrors,
    ...(error?.graphQLErrors ?? []).flatMap(({ message }) => parseVariableError(message) ?? []),
  ];
  return Object.fromEntries(
    fieldErrors.map(({ path, message }) => [path.replace(/^\//, ''), capitalize(message)]),
  );
}

/** What is wrong with a field or any part of it, by the path of the field. */
export function findFieldError(fieldErrors: FieldErrors, path: string): string | undefined {
  return Object.entries(fieldErrors).find(
    ([errorPath]) => errorPath === path || errorPath.startsWith(`${path}/`),
  )?.[1];
}

/** The words of the server’s engine for a value that is none of its type, such as `abc` for an amount. */
const variableErrorPattern = /^Variable "\$input" has invalid value at \.([^:]+): (must be .+)$/s;

/** The same as the API says it of a value that it can read: by its path, and without the words of programmers. */
function parseVariableError(message: string): { path: string; message: string } | undefined {
  const [, location = '', detail = ''] = variableErrorPattern.exec(message) ?? [];
  if (location === '') return undefined;
  const path = location.replaceAll('].', '/').replaceAll(/[.[]/g, '/').replace(']', '');
  return { path, message: detail.replace(' in a string', '').replaceAll('"', '') };
}

/** An error in words for people. */
export function formatError(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return first.extensions.code === 'unavailable' ? unavailableText : toPlainMessage(first.message);
  // Of a proxy before the service, too, which knows nothing of GraphQL.
  const { status } = (error.response ?? {}) as { status?: number };
  if (status === 429) return 'Too many requests. Wait a moment and try again.';
  if (status !== undefined && status >= 500) return unavailableText;
  return 'Can’t reach the server. Check your connection and try again.';
}

const unavailableText = 'The service is temporarily unavailable. Wait a moment and try again.';

/** A sentence of the engine names the field by its path; the path's last part is enough. */
function toPlainMessage(message: string): string {
  const variableError = parseVariableError(message);
  return variableError
    ? `${capitalize(variableError.path.split('/').at(-1) ?? '')} ${variableError.message}`
    : message;
}
