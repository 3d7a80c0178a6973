import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { createYoga, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import { type DomainError, invalidInput } from '../src/kit/errors.ts';
import { checkText } from '../src/kit/text.ts';
import type { GraphqlContext } from './graphql-context.ts';
import { schema } from './schema.ts';
import { showErrors } from './shown-errors.ts';

export const graphqlPath = '/graphql';

/**
 * The engine of both transports. Its own error masking, CORS and GraphiQL are off: errors are shown by `showErrors`,
 * the rest is answered by the routes.
 */
export function makeYoga() {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    logging: false,
    plugins: [refuseBadOperations, showErrorsOverHttp],
  });
}

export type Yoga = ReturnType<typeof makeYoga>;

/** The executor would take for our fault what is the caller's. */
const refuseBadOperations: Plugin<GraphqlContext> = {
  onExecute({ args, setResultAndStopExecution: stop }) {
    if (!getOperationAST(args.document, args.operationName)) {
      stop({
        errors: [new GraphQLError('There is no such operation in the document: send its operationName')],
      });
    } else stopAtBadText(args, stop);
  },
  onSubscribe: ({ args, setResultAndStopExecution: stop }) => stopAtBadText(args, stop),
};

/** U+0000 as the document may write it; the parser itself refuses lone surrogates. */
const zeroEscape = /\\u(?:0000|\{0+\})/;

/** Text that PostgreSQL cannot store is refused wherever it stands. */
function stopAtBadText(
  args: Pick<ExecutionArgs, 'document' | 'variableValues'>,
  stop: (result: ExecutionResult) => void,
): void {
  try {
    if (zeroEscape.test(args.document.loc?.source.body ?? ''))
      throw invalidInput('', 'must not contain U+0000');
    checkTexts(args.variableValues, '/variables');
  } catch (error) {
    stop({ errors: [new GraphQLError('', { originalError: error as DomainError })] });
  }
}

function checkTexts(value: unknown, path: string): void {
  if (typeof value === 'string') checkText(value, path, Number.POSITIVE_INFINITY);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) checkTexts(member, `${path}/${name}`);
}

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
