import { Client, fetchExchange } from 'urql';
import { expect, test } from 'vitest';
import { idempotencyExchange } from '../../src/dashboard/graphql/client.ts';

/** Under which Idempotency-Key the dashboard sends what must not be done twice, as when an answer is lost. */

const refund =
  'mutation ($amount: Decimal!) { createRefund(input: { customerAmount: $amount }) { __typename } }';
const rename = 'mutation ($name: String!) { updateViewer(input: { name: $name }) { __typename } }';

/** A client of a server that carries everything out, of whose answers some are lost. */
function makeClient() {
  const keys: (string | null)[] = [];
  const state = { isLost: false, answer: { createRefund: { __typename: 'CreateRefundSuccess' } } as object };
  const client = new Client({
    url: 'http://dashboard.example/graphql',
    preferGetMethod: false,
    exchanges: [idempotencyExchange(), fetchExchange],
    fetchOptions: { headers: { 'causeway-mode': 'live' } },
    fetch: async (_url, request) => {
      const headers = new Headers(request?.headers);
      expect(headers.get('causeway-mode')).toBe('live');
      keys.push(headers.get('idempotency-key'));
      if (state.isLost) throw new TypeError('Failed to fetch');
      return Response.json({ data: state.answer });
    },
  });
  const ask = (document: string, variables: object) => client.mutation(document, variables).toPromise();
  return { keys, state, ask };
}

test('a refund whose answer was lost is sent again under its key; once it is answered, the same again is another', async () => {
  const { keys, state, ask } = makeClient();
  state.isLost = true;
  await ask(refund, { amount: '10.00' });
  await ask(refund, { amount: '10.00' });
  await ask(refund, { amount: '11.00' });
  state.isLost = false;
  await ask(refund, { amount: '10.00' });
  await ask(refund, { amount: '10.00' });
  const [first, second, other, third, next] = keys;
  expect([second, third]).toEqual([first, first]);
  expect(new Set([first, other, next]).size).toBe(3);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
});

test('while the first is still under way the key stays', async () => {
  const { keys, state, ask } = makeClient();
  state.answer = { createRefund: { __typename: 'ConflictError', code: 'idempotency_in_progress' } };
  await ask(refund, { amount: '10.00' });
  await ask(refund, { amount: '10.00' });
  expect(keys[1]).toBe(keys[0]);
});

test('what was done since ends it, and what changes nothing by being repeated has no key', async () => {
  const { keys, state, ask } = makeClient();
  state.isLost = true;
  await ask(refund, { amount: '10.00' });
  state.isLost = false;
  state.answer = { updateViewer: { __typename: 'UpdateViewerSuccess' } };
  await ask(rename, { name: 'Mei' });
  await ask(refund, { amount: '10.00' });
  expect(keys[1]).toBeNull();
  expect(keys[2]).not.toBe(keys[0]);
});
