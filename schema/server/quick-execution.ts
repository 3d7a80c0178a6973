import { type ExecutionArgs, type ExecutionResult, getVariableValues } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { schema } from '../schema.ts';
import { costOf, findOperation, type KnownOperation, noteDocument, operationOf } from './known-operations.ts';
import { runPlan } from './run-plan.ts';
import { showErrors } from './shown-errors.ts';
import { traceOperation } from './trace-operations.ts';

/**
 * Executes queries and mutations by a plan, which is made once a document, over every transport; by the engine's own
 * executor where there is none.
 */
export const quickExecution: Plugin<GraphqlContext> = {
  onExecute({ args: { document }, executeFn, setExecuteFn }) {
    noteDocument(document);
    setExecuteFn((args: ExecutionArgs) => executePlanned(args) ?? executeFn(args));
  },
  onSubscribe({ args: { document } }) {
    noteDocument(document);
  },
};

/** Undefined, with nothing done, where the executor decides: no plan, or variables that do not fit. */
export function executePlanned(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> | undefined {
  const { document, operationName, variableValues, contextValue } = args;
  const operation = operationOf(document, operationName);
  const variables = operation && readVariables(operation, variableValues);
  return variables && runPlan(operation.plan, { context: contextValue as GraphqlContext, variables });
}

function readVariables(
  { plan: { operation } }: KnownOperation,
  given: Record<string, unknown> | null | undefined,
) {
  const definitions = operation.variableDefinitions ?? [];
  // One fault is enough: each takes as long as a whole answer, and there may be one for each value of a list.
  return getVariableValues(schema, definitions, given ?? {}, { maxErrors: 1 }).variableValues;
}

/** The body of a POST, as it is known to be at the least. */
export type Asked = { query: unknown; variables?: unknown; operationName?: unknown; extensions?: unknown };

/**
 * Answers what has been found valid before without the engine, which costs as much as the answer itself; undefined, with
 * nothing done, for all that it has to judge: other documents, faults of the request, and keys against repeats.
 */
export async function answerQuickly(
  asked: Asked,
  context: GraphqlContext,
): Promise<ExecutionResult | undefined> {
  const { query, variables: given, operationName, extensions, ...others } = asked;
  if (context.idempotencyKey !== undefined || Object.keys(others).length > 0) return undefined;
  if (!isText(query) || !(operationName == null || isText(operationName))) return undefined;
  if (!isMap(given) || !isMap(extensions)) return undefined;
  const operation = findOperation(query, operationName);
  const variables = operation && readVariables(operation, given);
  const cost = variables && findCost(operation, { variables: given ?? {}, context });
  if (!cost) return undefined;
  const run = async () => runPlan(operation.plan, { context, variables });
  const { tracer } = context;
  const result = await (tracer ? traceOperation(tracer, { ...operation, operationName }, run) : run());
  return { ...showErrors(result, context), extensions: { cost } };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isMap(value: unknown): value is Record<string, unknown> | null | undefined {
  return value == null || (typeof value === 'object' && !Array.isArray(value));
}

/** Undefined where it is too much: the engine refuses it. */
function findCost(operation: KnownOperation, options: Parameters<typeof costOf>[1]) {
  try {
    return costOf(operation, options);
  } catch {
    return undefined;
  }
}
