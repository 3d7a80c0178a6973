import { createRandomHex } from './encoding.ts';
import { CausewayError } from './error.ts';
import { errorStatuses } from './generated/catalog.ts';
import {
  type GraphqlErrorBody,
  type HttpRequest,
  type RequestOptions,
  readJson,
  type Transport,
  toGraphqlError,
} from './transport.ts';

/**
 * A document with the types of its result and variables, as GraphQL Code Generator writes it (`documentMode:
 * 'string'`).
 */
export type TypedDocument<Data, Variables> = {
  toString(): string;
  __apiType?: ((variables: Variables) => Data) | undefined;
};

export type Document<Data, Variables> = string | TypedDocument<Data, Variables>;

export type GraphqlOptions = RequestOptions & {
  /**
   * The key under which a mutation is executed once. A new key by default; `null` sends none, and the mutation is then
   * repeated only if the rate limit was exceeded.
   */
  idempotencyKey?: string | null | undefined;
};

export type GraphqlResponse<Data> = { data?: Data | null; errors?: GraphqlErrorBody[] };

export const graphqlPath = '/graphql';

export async function sendGraphql<Data>(
  transport: Transport,
  query: string,
  variables: unknown,
  options: GraphqlOptions,
): Promise<Data> {
  const isMutation = getOperationKind(query) === 'mutation';
  const key = isMutation ? createKey(options.idempotencyKey) : undefined;
  const request: HttpRequest = {
    method: 'POST',
    path: graphqlPath,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ query, variables }),
    isRepeatable: !isMutation || key !== undefined,
    signal: options.signal,
  };
  return transport.send(request, async (response) => {
    const body = await readJson<GraphqlResponse<Data>>(response);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    checkErrors(body, requestId);
    if (isMutation) checkMutation(body.data as Record<string, unknown>, { query, requestId });
    return body.data as Data;
  });
}

/** Returns the idempotency key to send: a new one by default, none for `null`. */
export function createKey(key: string | null | undefined): string | undefined {
  return key === null ? undefined : (key ?? createRandomHex());
}

function removeText(query: string): string {
  return query.replaceAll(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, '');
}

function getOperationKind(query: string): string {
  // The keyword of an operation is outside of all braces.
  let depth = 0;
  let outside = '';
  for (const character of removeText(query)) {
    if (character === '{') depth++;
    if (depth === 0) outside += character;
    if (character === '}') depth--;
  }
  return /\b(mutation|subscription)\b/.exec(outside)?.[1] ?? 'query';
}

/** Throws the first error of a response, even if the response has data, because a part of the data is then missing. */
export function checkErrors<Data>(body: GraphqlResponse<Data>, requestId: string | undefined): void {
  const [error] = body.errors ?? [];
  if (!error) return;
  const code = error.extensions?.code as keyof typeof errorStatuses | undefined;
  throw toGraphqlError(error, { requestId, status: code && errorStatuses[code] });
}

type MutationError = {
  __typename?: string;
  code?: string;
  message?: string;
  errors?: CausewayError['errors'];
  retryAfterSeconds?: number;
};

/** Throws if a mutation returned one of its error types, or may have. */
function checkMutation(
  data: Record<string, unknown>,
  { query, requestId }: { query: string; requestId: string | undefined },
): void {
  // Every error then has a code, so a result without a code is a success.
  const selectsCode = /\bon\s+UserError\s*\{[^{}]*\bcode\b/.test(removeText(query));
  for (const [field, value] of Object.entries(data)) {
    if (typeof value !== 'object' || value === null) continue;
    const { __typename: type, code, message = field, errors, retryAfterSeconds } = value as MutationError;
    if (typeof code === 'string') {
      const status = errorStatuses[code as keyof typeof errorStatuses];
      throw new CausewayError(code, message, { status, requestId, errors, retryAfterSeconds });
    }
    // An object is empty if the document selects nothing of its type.
    const isEmpty = Object.keys(value).length === 0;
    if (type?.endsWith('Error') || (isEmpty && !selectsCode))
      throw new CausewayError(
        'error_not_selected',
        `${field} ${isEmpty ? 'may have failed' : 'failed'}. Select ... on UserError { code message } to get the reason`,
        { requestId },
      );
  }
}
