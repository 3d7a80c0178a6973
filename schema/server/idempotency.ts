import { type ExecutionArgs, type ExecutionResult, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  type IdempotencyHooks,
  refundResponseRetentionMs,
  responseRetentionMs,
  transactIdempotent,
  withIdempotencyKey,
} from '../../src/domain/platform/idempotency/with-idempotency-key.ts';
import { toCanonicalJson } from '../../src/kit/canonical-json.ts';
import { DomainError, invalidInput } from '../../src/kit/errors.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  type MutationOutcome,
  requireScopedCaller,
} from '../kit/graphql-context.ts';
import { toRequestError } from './operation-limits.ts';

type ExecuteFn = (args: ExecutionArgs) => Promise<ExecutionResult>;

/**
 * Mutations that are the same however often they come, of which no answer is kept: a file is looked into, the clock is
 * moved to a time, a link or code counts once, and each try is counted.
 */
export const idempotencyExemptions: ReadonlySet<string> = new Set([
  'previewStatement',
  'advanceTestClock',
  'signIn',
  'signOut',
  'endSession',
  'signOutEverywhere',
  'requestPasswordReset',
  'resetPassword',
  'changePassword',
  'acceptInvitation',
  'beginSecondFactor',
  'confirmSecondFactor',
  'renewRecoveryCodes',
  'reauthenticate',
  'disableSecondFactor',
]);

/**
 * Carries out a mutation once for its Idempotency-Key, by the rule that REST follows (`answerOnce`): the change, all that
 * is selected of it, and the kept answer are one transaction.
 */
export const idempotentMutations: Plugin<GraphqlContext> = {
  onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution: stop }) {
    const { idempotencyKey } = args.contextValue;
    const operation = getOperationAST(args.document, args.operationName);
    if (idempotencyKey === undefined || operation?.operation !== 'mutation') return;
    const [field, ...others] = operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || others.length > 0) {
      const error = invalidInput(
        '/query',
        'must be a mutation with a single field when an Idempotency-Key is sent',
      );
      stop({ errors: [toRequestError(error)] });
      return;
    }
    const name = field.name.value;
    if (idempotencyExemptions.has(name)) return;
    setExecuteFn((executionArgs: ExecutionArgs) =>
      executeIdempotently(executeFn as ExecuteFn, executionArgs, { key: idempotencyKey, name }),
    );
  },
};

async function executeIdempotently(
  execute: ExecuteFn,
  args: ExecutionArgs,
  { key, name }: { key: string; name: string },
): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  const { service, clock } = context;
  let execution: MutationExecution | undefined;
  try {
    const { isReplay, body } = await withIdempotencyKey(service, {
      ...getMerchantScope(context),
      key: toScopedKey(context, key),
      content: serializeRequest(args, context),
      keepMs:
        name.endsWith('Refund') || name.endsWith('RefundDetails')
          ? refundResponseRetentionMs
          : responseRetentionMs,
      // The machine's time: the test clock never moves idempotency keys.
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
    // The key itself is refused: said in the mutation's result union, as every refusal.
    const outcome: MutationOutcome = { error, hasSucceeded: false, secretPaths: [] };
    return execute({ ...args, contextValue: { ...context, outcome } });
  }
}

/** A customer's page has keys of its own, so that it can neither take nor find out those of the merchant. */
function toScopedKey(context: GraphqlContext, key: string): string {
  const caller = requireScopedCaller(context);
  return caller.kind === 'page' ? `page ${caller.id} ${key}` : key;
}

/** A success, and where it holds secrets that are shown once. */
type MutationExecution = { result: ExecutionResult; secretPaths: MutationOutcome['secretPaths'] };

/** Thrown to undo the transaction of what did not succeed. */
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
  // A success of which something cannot be told is undone: no answer says that it is not there while it is.
  if (outcome.hasSucceeded && result.errors)
    throw new MutationRolledBack({ errors: result.errors, data: null });
  if (!outcome.hasSucceeded) throw new MutationRolledBack(result);
  return { result, secretPaths: outcome.secretPaths };
}

/**
 * What is asked. Who may ask belongs to it: credentials with other rights, and other users, get no kept answer, but that
 * the key was used with another request.
 */
function serializeRequest(
  { document, operationName, variableValues }: ExecutionArgs,
  context: GraphqlContext,
): string {
  const caller = requireScopedCaller(context);
  const authority =
    caller.kind === 'page'
      ? ['page', caller.noun, caller.id]
      : [caller.user?.role ?? 'key', caller.user?.id ?? null, ...[...caller.permissions].sort()];
  const text = document.loc?.source.body;
  return toCanonicalJson(['graphql', operationName ?? null, text, variableValues ?? {}, authority]);
}

function redactSecrets({ result, secretPaths }: MutationExecution): ExecutionResult {
  const storedResult = structuredClone(result);
  for (const path of secretPaths) {
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape.
    const parent = path.slice(0, -1).reduce<any>((value, name) => value?.[name], storedResult.data);
    if (parent) parent[path.at(-1) as string] = null;
  }
  return storedResult;
}
