import type { CombinedError } from 'urql';
import { capitalize } from '../format/labels.ts';
import { t } from '../language/texts.ts';
import { graphql } from './graphql.ts';

/** The fields that every mutation requests of an error: its code and message, and the errors of input fields. */
export const userErrorFields = graphql(`
  fragment UserErrorFields on UserError {
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

/** The fields that all error types of result unions have. */
type ErrorPayload = { __typename: string; code: string; message: string };

/** The data of a mutation: the payload by the name of the root field. */
export type MutationData = Record<string, { __typename: string } | null> | null | undefined;

export type MutationResponse = { data?: MutationData; error?: CombinedError | undefined };

/** Returns the error message of a mutation, or undefined if it succeeded. */
export function getErrorMessage(response: MutationResponse): string | undefined {
  if (response.error) return formatError(response.error);
  const [result] = Object.values(response.data ?? {});
  return result && 'code' in result ? (result as ErrorPayload).message : undefined;
}

/** A page where the user can resolve an error. */
export type Remedy = { to: string; label: string };

const remediesByCode: Record<string, Remedy> = {
  method_unavailable: { to: '/receiving-accounts/new', label: t.graphql.addAReceivingAccount },
  rate_unavailable: { to: '/help/operations/exchange-rates', label: t.graphql.aboutExchangeRates },
  receiving_account_retired: { to: '/receiving-accounts', label: t.graphql.viewReceivingAccounts },
  restricted_endpoint: { to: '/access', label: t.graphql.requestAccess },
  two_factor_setup_required: { to: '/account', label: t.graphql.turnOnTwoFactor },
};

export function findRemedy({ data, error }: MutationResponse): Remedy | undefined {
  const [result] = Object.values(data ?? {});
  const code =
    result && 'code' in result ? (result as ErrorPayload).code : error?.graphQLErrors[0]?.extensions.code;
  return remediesByCode[String(code)];
}

/** Messages by the full path of a field, such as `recurringPayment/count`. */
export type FieldErrors = Record<string, string>;

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

/** Returns the error of a field or of any path below it. */
export function findFieldError(fieldErrors: FieldErrors, path: string): string | undefined {
  return Object.entries(fieldErrors).find(
    ([errorPath]) => errorPath === path || errorPath.startsWith(`${path}/`),
  )?.[1];
}

/** The message of the GraphQL engine for a value of a wrong type, such as `abc` for an amount. */
const variableErrorPattern = /^Variable "\$input" has invalid value at \.([^:]+): (must be .+)$/s;

/**
 * Converts a message of the GraphQL engine to a path and a message without GraphQL terms, as in the API's own field
 * errors. Returns undefined for other messages.
 */
function parseVariableError(message: string): { path: string; message: string } | undefined {
  const [, location = '', detail = ''] = variableErrorPattern.exec(message) ?? [];
  if (location === '') return undefined;
  const path = location.replaceAll('].', '/').replaceAll(/[.[]/g, '/').replace(']', '');
  return { path, message: detail.replace(' in a string', '').replaceAll('"', '') };
}

export function formatError(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return first.extensions.code === 'unavailable' ? unavailableText : toPlainMessage(first.message);
  // A proxy in front of the service may respond with such a status and without a GraphQL error.
  const { status } = (error.response ?? {}) as { status?: number };
  if (status === 429) return t.graphql.tooManyRequestsWait;
  if (status !== undefined && status >= 500) return unavailableText;
  return t.graphql.cantReachTheServer;
}

const unavailableText = t.graphql.theServiceIsTemporarily;

/** Shortens a message of the GraphQL engine: of the field's path, only the last part remains. */
function toPlainMessage(message: string): string {
  const variableError = parseVariableError(message);
  return variableError
    ? `${capitalize(variableError.path.split('/').at(-1) ?? '')} ${variableError.message}`
    : message;
}
