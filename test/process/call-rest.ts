import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Destination } from '../../src/method/destination.ts';
import { basicAuth } from '../setup/api.ts';
import type { Json } from '../setup/graphql.ts';

/** Calls the REST interface of a running process: POST with a body, GET without. */
export async function callRest(
  url: string,
  keys: ModeKeys,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      authorization: basicAuth(keys),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Json };
}

/** Returns the input of a transfer for a charge in HKD by FPS with the ID of the bank, paid now by default. */
export function createTransferInput(
  { account, nonce: reference }: Pick<Destination, 'account' | 'nonce'>,
  amount: number,
  id: string,
  paidAt = new Date(),
) {
  return {
    ...{ id, method: 'fps', account, amount, currency: 'HKD' },
    ...{ reference, paidAt: paidAt.toISOString() },
  };
}
