import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  validate,
} from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { checkResponseNames } from './check-response-names.ts';
import { documentCache } from './document-cache.ts';
import { introspectionLimits } from './introspection-limits.ts';
import { type Cost, checkCost, checkDocument, checkVariables } from './limits.ts';

/**
 * Enforces the limits for every operation over every transport, and reports the cost in the extension `cost`
 * of responses. Rejected operations are never executed.
 */
export const operationLimits: Plugin<GraphqlContext> = {
  onParse({ params }) {
    const source = params.source.toString();
    // A cached document has passed the checks before.
    if (documentCache.has(source)) return undefined;
    try {
      checkDocument(source);
    } catch (error) {
      throw toRequestError(error);
    }
    // Validation of the worst documents takes seconds, so this check comes first.
    return ({ result }) => {
      if (!(result instanceof Error)) checkParsedDocument(result);
    };
  },
  onValidate({ addValidationRule, setValidationFn }) {
    addValidationRule(introspectionLimits);
    setValidationFn(validateWithErrorLimit);
  },
  onExecute({ args, setResultAndStopExecution: stop }) {
    const cost = checkOperation(args, stop);
    if (!cost) return undefined;
    return {
      onExecuteDone({ result, setResult }) {
        if (!isAsyncIterable(result)) setResult(withCost(result, cost));
      },
    };
  },
  onSubscribe({ args, setResultAndStopExecution: stop }) {
    const cost = checkOperation(args, stop);
    if (!cost) return undefined;
    return {
      onSubscribeResult({ result, setResult }) {
        if (isAsyncIterable(result)) setResult(toResponseStream(result, cost));
        else setResult(withCost(result, cost));
      },
    };
  },
};

/** The maximum number of errors. For each, validation searches the schema for suggestions for about a millisecond. */
const validationErrorsMax = 5;

const validateWithErrorLimit: typeof validate = (schema, document, rules) =>
  validate(schema, document, rules, { maxErrors: validationErrorsMax });

function checkParsedDocument(document: DocumentNode): void {
  try {
    checkResponseNames(document);
  } catch (error) {
    throw toRequestError(error);
  }
}

type OperationArgs = Pick<
  ExecutionArgs,
  'schema' | 'document' | 'operationName' | 'variableValues' | 'contextValue'
>;

/** Returns the operation's cost; undefined if it was rejected. */
function checkOperation(args: OperationArgs, stop: (result: ExecutionResult) => void): Cost | undefined {
  const { schema, document, operationName, variableValues } = args;
  try {
    // The executor would report a missing operation as an internal error, although the caller caused it.
    const operation = getOperationAST(document, operationName);
    if (!operation) throw new GraphQLError(operationNotFound);
    const context = args.contextValue as object;
    const variables = variableValues ?? {};
    checkVariables(schema, operation, variables);
    const cachedCost = costCache.get(operation);
    if (cachedCost) return cachedCost;
    const cost = checkCost(schema, document, { operation, variables, context });
    if (!operation.variableDefinitions?.some(({ type }) => affectsCost(type))) costCache.set(operation, cost);
    return cost;
  } catch (error) {
    stop({ errors: [toRequestError(error)] });
    return undefined;
  }
}

/** The costs of operations whose cost does not depend on variables. */
const costCache = new WeakMap<OperationDefinitionNode, Cost>();

/**
 * Returns whether a variable can change page sizes or list lengths, on which the cost depends; see
 * `getFieldCost`.
 */
function affectsCost(type: TypeNode): boolean {
  if (type.kind === Kind.NON_NULL_TYPE) return affectsCost(type.type);
  return type.kind === Kind.LIST_TYPE || type.name.value === 'Int';
}

const operationNotFound = 'Operation not found in the document: set operationName to one of its operations';

/**
 * Marks an error as a request error, which has status 400 for clients that accept GraphQL's own media type.
 */
export function toRequestError(error: unknown): GraphQLError {
  const http = { status: 400, spec: true };
  if (!(error instanceof GraphQLError))
    return new GraphQLError('', { originalError: error as Error, extensions: { http } });
  error.extensions.http ??= http;
  return error;
}

/** Adds the cost to each event of a stream, and converts an error that ends the stream into its last event. */
function toResponseStream(
  results: AsyncIterableIterator<ExecutionResult>,
  cost: Cost,
): AsyncIterableIterator<ExecutionResult> {
  return mapAsyncIterator(
    results,
    (result) => withCost(result, cost),
    (error: unknown) => ({ errors: [toGraphqlError(error)] }),
  );
}

export function toGraphqlError(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
}

function withCost(result: ExecutionResult, cost: Cost): ExecutionResult {
  return { ...result, extensions: { ...result.extensions, cost } };
}
