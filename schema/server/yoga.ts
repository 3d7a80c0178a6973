import type { ExecutionResult } from 'graphql';
import { createYoga, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { Tracer } from '../../src/kit/tracer.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { schema } from '../schema.ts';
import { boundOperations } from './bound-operations.ts';
import { documentCache } from './document-cache.ts';
import { keepAnswers } from './idempotency.ts';
import { showErrors } from './shown-errors.ts';
import { traceOperations } from './trace-operations.ts';

export const graphqlPath = '/graphql';

/**
 * The engine of both transports. Its own error masking, CORS and GraphiQL are off: errors are shown by `showErrors`,
 * the rest is answered by the routes.
 */
export function makeYoga(tracer?: Tracer) {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    logging: false,
    parserAndValidationCache: { documentCache, errorCache: nothingKept },
    plugins: [
      admittedParams,
      boundOperations,
      keepAnswers,
      showErrorsOverHttp,
      // Last: around all of what the others do.
      ...(tracer ? [traceOperations(tracer)] : []),
    ],
  });
}

export type Yoga = ReturnType<typeof makeYoga>;

/** Over HTTP the parameters that the route has read and limited, instead of Yoga's own reading of the request. */
const admittedParams: Plugin<object, GraphqlContext> = {
  onRequestParse({ serverContext: { params }, setRequestParser }) {
    if (params) setRequestParser(() => params);
  },
};

const nothingKept = { get: () => undefined, set: () => {} };

const showErrorsOverHttp: Plugin<object, GraphqlContext> = {
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result)) return;
    const show = (one: ExecutionResult) => keepHttp(one, showErrors(one, serverContext));
    setResult(isAsyncIterable(result) ? mapAsyncIterator(result, show) : show(result));
  },
};

/** The status that the engine wants for an error; it reads and removes it when it answers. */
function keepHttp(original: ExecutionResult, shown: ExecutionResult): ExecutionResult {
  shown.errors?.forEach((error, i) => {
    const http = original.errors?.[i]?.extensions.http;
    if (http !== undefined) error.extensions.http = http;
  });
  return shown;
}
