import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { formatErrors } from './format-errors.ts';
import { toGraphqlError } from './operation-limits.ts';
import type { Yoga } from './yoga.ts';

/** The parameters of a GraphQL request. */
export type RequestParams = {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
};

type EnvelopFunctions = Pick<ReturnType<Yoga['getEnveloped']>, 'execute' | 'subscribe'>;

/** The arguments of an execution, and the functions of Yoga and its plugins that execute it. */
export type PreparedOperation = ExecutionArgs & EnvelopFunctions;

/** Parses and validates a request with Yoga's functions: what is to be executed, or the errors. */
export async function prepareOperation(
  yoga: Yoga,
  { query, operationName, variables }: RequestParams,
  context: GraphqlContext,
): Promise<PreparedOperation | readonly GraphQLError[]> {
  const { schema, parse, validate, contextFactory, execute, subscribe } = yoga.getEnveloped(context);
  try {
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return errors;
    const contextValue = await contextFactory();
    return { schema, document, operationName, variableValues: variables, contextValue, execute, subscribe };
  } catch (error) {
    return [toGraphqlError(error)];
  }
}

/**
 * The result of a request that wants plain JSON, by Yoga's functions: its HTTP handler would create a Request, a Response
 * and a stream for it. Undefined for what only the handler judges: a subscription, and parameters of other types.
 */
export async function executeJson(
  yoga: Yoga,
  body: unknown,
  context: GraphqlContext,
): Promise<ExecutionResult | undefined> {
  if (!isParams(body)) return undefined;
  const prepared = await prepareOperation(yoga, body, context);
  if (!('document' in prepared)) return formatErrors({ errors: prepared }, context);
  const isSubscription = prepared.document.definitions.some(
    (definition) => 'operation' in definition && definition.operation === 'subscription',
  );
  if (isSubscription) return undefined;
  const result = await prepared.execute(prepared);
  if (isAsyncIterable(result)) throw new Error('an operation was executed incrementally');
  return formatErrors(result as ExecutionResult, context);
}

function isParams(body: unknown): body is RequestParams {
  const { query, operationName, variables, extensions, ...others } = body as Record<string, unknown>;
  return (
    typeof query === 'string' &&
    (operationName == null || typeof operationName === 'string') &&
    isMap(variables) &&
    isMap(extensions) &&
    Object.keys(others).length === 0
  );
}

function isMap(value: unknown): boolean {
  return value == null || (typeof value === 'object' && !Array.isArray(value));
}
