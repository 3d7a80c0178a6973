import type { ModeKeys } from '../../src/domain/merchant/create-merchant.ts';
import { basic } from '../setup/api.ts';

/** Calls the REST interface of a running process: POST with a body, GET without. */
export async function callRest(
  url: string,
  keys: ModeKeys,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      authorization: basic(keys),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json() };
}
