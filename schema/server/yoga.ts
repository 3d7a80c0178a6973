import type { ExecutionResult } from 'graphql';
import { createYoga, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { Tracer } from '../../src/kit/tracer.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { schema } from '../schema.ts';
import { documentCache } from './document-cache.ts';
import { formatErrors } from './format-errors.ts';
import { idempotentMutations } from './idempotency.ts';
import { operationLimits } from './operation-limits.ts';
import { traceOperations } from './trace-operations.ts';

export const graphqlPath = '/graphql';

/**
 * The GraphQL server of all transports. Yoga's error masking, CORS and GraphiQL are disabled: `formatErrors`
 * formats errors, and the routes handle the rest.
 */
export function createGraphqlServer(tracer?: Tracer) {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    logging: false,
    parserAndValidationCache: { documentCache, errorCache: noErrorCache },
    plugins: [
      parsedParams,
      operationLimits,
      idempotentMutations,
      formatErrorsOverHttp,
      // Last, so that spans include the work of the other plugins.
      ...(tracer ? [traceOperations(tracer)] : []),
    ],
  });
}

export type Yoga = ReturnType<typeof createGraphqlServer>;

/** Uses the parameters that the route parsed and checked, instead of letting Yoga parse the request again. */
const parsedParams: Plugin<object, GraphqlContext> = {
  onRequestParse({ serverContext: { params }, setRequestParser }) {
    if (params) setRequestParser(() => params);
  },
};

const noErrorCache = { get: () => undefined, set: () => {} };

const formatErrorsOverHttp: Plugin<object, GraphqlContext> = {
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result)) return;
    const format = (original: ExecutionResult) =>
      restoreHttpStatus(original, formatErrors(original, serverContext));
    setResult(isAsyncIterable(result) ? mapAsyncIterator(result, format) : format(result));
  },
};

/** Restores the status that Yoga attached to an error; Yoga reads and removes it when it sends the response. */
function restoreHttpStatus(original: ExecutionResult, formatted: ExecutionResult): ExecutionResult {
  formatted.errors?.forEach((error, i) => {
    const http = original.errors?.[i]?.extensions.http;
    if (http !== undefined) error.extensions.http = http;
  });
  return formatted;
}
