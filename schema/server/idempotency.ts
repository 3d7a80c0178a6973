import { type ExecutionArgs, type ExecutionResult, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  answerOnce,
  keptMs,
  type Once,
  refundKeptMs,
  transactOnce,
} from '../../src/domain/platform/idempotency/answer-once.ts';
import { canonicalJson } from '../../src/kit/canonical-json.ts';
import { DomainError, invalidInput } from '../../src/kit/errors.ts';
import { boundCaller, type GraphqlContext, type MutationResult, owned } from '../kit/graphql-context.ts';
import { refused } from './bound-operations.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult>;

/**
 * Mutations that are the same however often they come, of which no answer is kept: a file is looked into, the clock is
 * moved to a time, a link or code counts once, and each try is counted.
 */
export const repeatable: ReadonlySet<string> = new Set([
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
export const keepAnswers: Plugin<GraphqlContext> = {
  onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution: stop }) {
    const { idempotencyKey } = args.contextValue;
    const operation = getOperationAST(args.document, args.operationName);
    if (idempotencyKey === undefined || operation?.operation !== 'mutation') return;
    const [field, ...others] = operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || others.length > 0) {
      const fault = invalidInput(
        '/query',
        'must be a mutation with a single field when an Idempotency-Key is sent',
      );
      stop({ errors: [refused(fault)] });
      return;
    }
    const name = field.name.value;
    if (repeatable.has(name)) return;
    setExecuteFn((asked: ExecutionArgs) =>
      executeOnce(executeFn as Execute, asked, { key: idempotencyKey, name }),
    );
  },
};

async function executeOnce(
  execute: Execute,
  args: ExecutionArgs,
  { key, name }: { key: string; name: string },
): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  const { service, clock } = context;
  let first: Made | undefined;
  try {
    const { isReplay, body } = await answerOnce(service, {
      ...owned(context),
      key: ownKey(context, key),
      content: contentOf(args, context),
      keepMs: name.endsWith('Refund') || name.endsWith('RefundDetails') ? refundKeptMs : keptMs,
      // The machine's time: the test clock never moves idempotency keys.
      now: clock.now(),
      transact: (once: Once<Made>) =>
        transactOnce(service, once, async (own) => {
          first = await make(execute, args, { ...context, service: own });
          return first;
        }),
      toAnswer: (made) => ({ status: 200, body: withoutSecrets(made) }),
    });
    if (isReplay) context.tellReplay?.();
    return isReplay || !first ? body : first.result;
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    if (!(error instanceof DomainError)) throw error;
    // The key itself is refused: said in the mutation's result union, as every refusal.
    const once: MutationResult = { refusal: error, hasSucceeded: false, secrets: [] };
    return execute({ ...args, contextValue: { ...context, once } });
  }
}

/** A customer's page has keys of its own, so that it can neither take nor find out those of the merchant. */
function ownKey(context: GraphqlContext, key: string): string {
  const caller = boundCaller(context);
  return caller.kind === 'page' ? `page ${caller.id} ${key}` : key;
}

/** A success, and where it holds secrets that are shown once. */
type Made = { result: ExecutionResult; secrets: MutationResult['secrets'] };

/** Thrown to undo the transaction of what did not succeed. */
class RolledBack extends Error {
  readonly result: ExecutionResult;

  constructor(result: ExecutionResult) {
    super('the mutation did not succeed');
    this.result = result;
  }
}

async function make(execute: Execute, args: ExecutionArgs, context: GraphqlContext): Promise<Made> {
  const once: MutationResult = { hasSucceeded: false, secrets: [] };
  const result = await execute({ ...args, contextValue: { ...context, once } });
  // A success of which something cannot be told is undone: no answer says that it is not there while it is.
  if (once.hasSucceeded && result.errors) throw new RolledBack({ errors: result.errors, data: null });
  if (!once.hasSucceeded) throw new RolledBack(result);
  return { result, secrets: once.secrets };
}

/**
 * What is asked. Who may ask belongs to it: credentials with other rights, and other users, get no kept answer, but that
 * the key was used with another request.
 */
function contentOf(
  { document, operationName, variableValues }: ExecutionArgs,
  context: GraphqlContext,
): string {
  const caller = boundCaller(context);
  const authority =
    caller.kind === 'page'
      ? ['page', caller.noun, caller.id]
      : [caller.user?.role ?? 'key', caller.user?.id ?? null, ...[...caller.permissions].sort()];
  const text = document.loc?.source.body;
  return canonicalJson(['graphql', operationName ?? null, text, variableValues ?? {}, authority]);
}

function withoutSecrets({ result, secrets }: Made): ExecutionResult {
  const kept = structuredClone(result);
  for (const path of secrets) {
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape.
    const holder = path.slice(0, -1).reduce<any>((value, name) => value?.[name], kept.data);
    if (holder) holder[path.at(-1) as string] = null;
  }
  return kept;
}
