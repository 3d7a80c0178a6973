import { type AnyVariables, type Exchange, mapExchange, type Operation } from 'urql';
import { randomKey } from './random-key.ts';
import type { Answered } from './refusal.ts';
import { withHeaders } from './with-headers.ts';

/** Besides those that create something: what would move money, or send something, once more. */
const onceToo = new Set(['assignTransfer', 'returnTransfer', 'simulateTransfer', 'splitTransfer']);

/**
 * Sends what makes something with an Idempotency-Key, and again with the same one where no answer came: it may have been
 * made all the same, and is not made twice then. With an answer, to this or to anything done later, that is over: the
 * same again is meant as another.
 */
export function attemptsExchange(): Exchange {
  const unanswered = new Map<number, string>();
  return mapExchange({
    onOperation: (operation) => {
      if (operation.kind !== 'mutation' || !makesSomething(operation)) return operation;
      const key = unanswered.get(operation.key) ?? randomKey();
      return withHeaders(operation, { 'idempotency-key': key }, { idempotencyKey: key });
    },
    onResult: ({ operation, data, error }) => {
      if (operation.kind !== 'mutation') return;
      const { idempotencyKey } = operation.context as { idempotencyKey?: string };
      if (!isUnanswered({ data, error })) unanswered.clear();
      else if (idempotencyKey !== undefined) unanswered.set(operation.key, idempotencyKey);
    },
  });
}

/** Operators act for no merchant, whose keys these are: that an e-mail has one account keeps merchants from being two. */
function makesSomething({ query }: Operation<unknown, AnyVariables>): boolean {
  const [definition] = query.definitions;
  if (definition?.kind !== 'OperationDefinition') return false;
  const [field] = definition.selectionSet.selections;
  const name = field?.kind === 'Field' ? field.name.value : '';
  return onceToo.has(name) || (name.startsWith('create') && name !== 'createMerchant');
}

/** Whether it is unknown what came of it. */
function isUnanswered({ data, error }: Answered): boolean {
  const [answer] = Object.values(data ?? {});
  if (answer) return 'code' in answer && answer.code === 'idempotency_in_progress';
  const codes = error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
  return codes.length === 0 || codes.some((code) => code === 'unavailable' || code === 'internal_error');
}
