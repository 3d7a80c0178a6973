import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './graphql-context.ts';
import { type Cost, checkCost, checkDocumentSize, checkValues } from './limits.ts';

/**
 * Holds every operation, over every transport, to the limits, and tells its cost in the extension `cost` of its answers.
 * What is refused here has not been executed.
 */
export const boundOperations: Plugin<GraphqlContext> = {
  onParse({ params }) {
    try {
      checkDocumentSize(params.source.toString());
    } catch (error) {
      throw refused(error);
    }
  },
  onExecute({ args, setResultAndStopExecution: stop }) {
    const cost = bound(args, stop);
    if (!cost) return undefined;
    return {
      onExecuteDone({ result, setResult }) {
        if (!isAsyncIterable(result)) setResult(withCost(result, cost));
      },
    };
  },
  onSubscribe({ args, setResultAndStopExecution: stop }) {
    const cost = bound(args, stop);
    if (!cost) return undefined;
    return {
      onSubscribeResult({ result, setResult }) {
        if (isAsyncIterable(result)) setResult(mapAsyncIterator(result, (one) => withCost(one, cost)));
        else setResult(withCost(result, cost));
      },
    };
  },
};

type Asked = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues' | 'contextValue'>;

/** U+0000 as the document may write it; the parser itself refuses lone surrogates. */
const zeroEscape = /\\u(?:0000|\{0+\})/;

/** The operation's cost; undefined where it was stopped. */
function bound(args: Asked, stop: (result: ExecutionResult) => void): Cost | undefined {
  const { schema, document, operationName, variableValues } = args;
  try {
    // The executor would take for our fault what is the caller's.
    if (!getOperationAST(document, operationName)) throw new GraphQLError(noOperation);
    checkValues(document.loc?.source.body.match(zeroEscape) ? '\0' : '', '');
    const context = args.contextValue as object;
    return checkCost(schema, document, { operationName, variables: variableValues ?? {}, context });
  } catch (error) {
    stop({ errors: [refused(error)] });
    return undefined;
  }
}

const noOperation = 'There is no such operation in the document: send its operationName';

/** A fault of the request, which is 400 to whoever asks for GraphQL's own media type. */
export function refused(error: unknown): GraphQLError {
  const http = { status: 400, spec: true };
  if (!(error instanceof GraphQLError))
    return new GraphQLError('', { originalError: error as Error, extensions: { http } });
  error.extensions.http ??= http;
  return error;
}

function withCost(result: ExecutionResult, cost: Cost): ExecutionResult {
  return { ...result, extensions: { ...result.extensions, cost } };
}
