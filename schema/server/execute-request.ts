import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { formatErrors } from './format-errors.ts';
import { toGraphqlError } from './operation-limits.ts';
import type { Yoga } from './yoga.ts';

export type RequestParams = {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
};

type EnvelopFunctions = Pick<ReturnType<Yoga['getEnveloped']>, 'execute' | 'subscribe'>;

/** The arguments of an execution, with the functions of Yoga and its plugins that execute them. */
export type PreparedOperation = ExecutionArgs & EnvelopFunctions;

/** Parses and validates a request with Yoga's functions. Returns the operation to execute, or the errors. */
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
 * Executes a request for plain JSON with Yoga's functions and returns its result. Bypasses Yoga's HTTP
 * handler, which creates a Request, a Response and a stream. Returns undefined for subscriptions and
 * parameters of other types, which only the handler supports.
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
  const { query, operationName, variables, extensions, ...unknownParams } = body as Record<string, unknown>;
  return (
    typeof query === 'string' &&
    (operationName == null || typeof operationName === 'string') &&
    isMap(variables) &&
    isMap(extensions) &&
    Object.keys(unknownParams).length === 0
  );
}

function isMap(value: unknown): boolean {
  return value == null || (typeof value === 'object' && !Array.isArray(value));
}
