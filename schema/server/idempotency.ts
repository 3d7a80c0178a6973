import { type ExecutionArgs, type ExecutionResult, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  type IdempotencyHooks,
  responseRetentionMs,
  transactIdempotent,
  withIdempotencyKey,
} from '../../src/domain/platform/idempotency/with-idempotency-key.ts';
import { toCanonicalJson } from '../../src/kit/canonical-json.ts';
import { DomainError, invalidInputError } from '../../src/kit/errors.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  type MutationOutcome,
  requireScopedCaller,
} from '../kit/graphql-context.ts';
import { getRootFieldOptions } from '../kit/root-field-options.ts';
import { toRequestError } from './operation-limits.ts';

type ExecuteFn = (args: ExecutionArgs) => Promise<ExecutionResult>;

/**
 * Executes a mutation once per Idempotency-Key, by the same rules as REST (`withIdempotencyKey`). The change,
 * the selected fields and the stored response share one transaction.
 */
export const idempotentMutations: Plugin<GraphqlContext> = {
  onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution: stop }) {
    const { idempotencyKey } = args.contextValue;
    const operation = getOperationAST(args.document, args.operationName);
    if (idempotencyKey === undefined || operation?.operation !== 'mutation') return;
    const [field, ...otherFields] = operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || otherFields.length > 0) {
      const error = invalidInputError(
        '/query',
        'must be a mutation with a single field when an Idempotency-Key is sent',
      );
      stop({ errors: [toRequestError(error)] });
      return;
    }
    const mutation = args.schema.getMutationType()?.getFields()[field.name.value];
    const { ignoresIdempotencyKey, responseRetentionMs: retentionMs = responseRetentionMs } =
      getRootFieldOptions(mutation?.extensions);
    if (ignoresIdempotencyKey) return;
    setExecuteFn((executionArgs: ExecutionArgs) =>
      executeIdempotently(executeFn as ExecuteFn, executionArgs, { key: idempotencyKey, retentionMs }),
    );
  },
};

async function executeIdempotently(
  execute: ExecuteFn,
  args: ExecutionArgs,
  { key, retentionMs }: { key: string; retentionMs: number },
): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  const { service, clock } = context;
  let execution: MutationExecution | undefined;
  try {
    const { isReplay, body } = await withIdempotencyKey(service, {
      ...getMerchantScope(context),
      key: toScopedKey(context, key),
      content: serializeRequest(args, context),
      retentionMs,
      // Idempotency keys expire by the system time, not by a test clock.
      now: clock.now(),
      transact: (idempotency: IdempotencyHooks<MutationExecution>) =>
        transactIdempotent(service, idempotency, async (txService) => {
          execution = await executeMutation(execute, args, { ...context, service: txService });
          return execution;
        }),
      toResponse: (executed) => ({ status: 200, body: redactSecrets(executed) }),
    });
    if (isReplay) context.onReplay?.();
    return isReplay || !execution ? body : execution.result;
  } catch (error) {
    if (error instanceof MutationRolledBack) return error.result;
    if (!(error instanceof DomainError)) throw error;
    // Returns an error of the key as a member of the mutation's result union, like any other error.
    const outcome: MutationOutcome = { error, hasSucceeded: false, secretPaths: [] };
    return execute({ ...args, contextValue: { ...context, outcome } });
  }
}

/**
 * Gives each client token a separate namespace of idempotency keys, so that a customer's page can neither use
 * nor detect the merchant's keys.
 */
function toScopedKey(context: GraphqlContext, key: string): string {
  const caller = requireScopedCaller(context);
  return caller.kind === 'clientToken' ? `page ${caller.id} ${key}` : key;
}

/** A successful result, with the paths of secrets that are shown only once. */
type MutationExecution = { result: ExecutionResult; secretPaths: MutationOutcome['secretPaths'] };

/** Rolls back the transaction of an unsuccessful mutation, and carries its result to the caller. */
class MutationRolledBack extends Error {
  readonly result: ExecutionResult;

  constructor(result: ExecutionResult) {
    super('the mutation did not succeed');
    this.result = result;
  }
}

async function executeMutation(
  execute: ExecuteFn,
  args: ExecutionArgs,
  context: GraphqlContext,
): Promise<MutationExecution> {
  const outcome: MutationOutcome = { hasSucceeded: false, secretPaths: [] };
  const result = await execute({ ...args, contextValue: { ...context, outcome } });
  // A response with errors has no data, so the caller would not learn of the created object.
  if (outcome.hasSucceeded && result.errors)
    throw new MutationRolledBack({ errors: result.errors, data: null });
  if (!outcome.hasSucceeded) throw new MutationRolledBack(result);
  return { result, secretPaths: outcome.secretPaths };
}

/**
 * Serializes the request together with the caller's identity and rights. Callers with other rights, and other
 * users, get the error for a reused key instead of the stored response.
 */
function serializeRequest(
  { document, operationName, variableValues }: ExecutionArgs,
  context: GraphqlContext,
): string {
  const caller = requireScopedCaller(context);
  const authority =
    caller.kind === 'clientToken'
      ? ['page', caller.objectType, caller.id]
      : [caller.user?.role ?? 'key', caller.user?.id ?? null, ...[...caller.permissions].sort()];
  const text = document.loc?.source.body;
  return toCanonicalJson(['graphql', operationName ?? null, text, variableValues ?? {}, authority]);
}

function redactSecrets({ result, secretPaths }: MutationExecution): ExecutionResult {
  const storedResult = structuredClone(result);
  for (const path of secretPaths) {
    // biome-ignore lint/suspicious/noExplicitAny: a response can have any shape.
    const parent = path.slice(0, -1).reduce<any>((value, name) => value?.[name], storedResult.data);
    if (parent) parent[path.at(-1) as string] = null;
  }
  return storedResult;
}
