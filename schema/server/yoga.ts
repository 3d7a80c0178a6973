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
 * The engine of both transports. Its own error masking, CORS and GraphiQL are off: errors are shown by `showErrors`,
 * the rest is answered by the routes.
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
      // Last: around all of what the others do.
      ...(tracer ? [traceOperations(tracer)] : []),
    ],
  });
}

export type Yoga = ReturnType<typeof createGraphqlServer>;

/** Over HTTP the parameters that the route has read and limited, instead of Yoga's own reading of the request. */
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

/** The status that the engine wants for an error; it reads and removes it when it answers. */
function restoreHttpStatus(original: ExecutionResult, formatted: ExecutionResult): ExecutionResult {
  formatted.errors?.forEach((error, i) => {
    const http = original.errors?.[i]?.extensions.http;
    if (http !== undefined) error.extensions.http = http;
  });
  return formatted;
}
