import type { FastifyInstance } from 'fastify';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { checkAnswer } from './check-answer.ts';

export function basic(keys: ModeKeys): string {
  return `Basic ${Buffer.from(`${keys.apiKey}:${keys.apiSecret}`).toString('base64')}`;
}

/**
 * Calls the REST interface as an integrator does; throws when the answer is not as documented. `json` is undefined when
 * the answer is none.
 */
export async function callApi(
  app: FastifyInstance,
  options: {
    method: 'GET' | 'POST' | 'PATCH';
    url: string;
    keys: ModeKeys;
    body?: unknown;
    headers?: Record<string, string>;
  },
) {
  const { method, url, keys, body } = options;
  const answer = await app.inject({
    method,
    url,
    headers: {
      ...options.headers,
      authorization: basic(keys),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  checkAnswer(app, {
    method,
    url,
    status: answer.statusCode,
    contentType: answer.headers['content-type'] as string | undefined,
    body: answer.body,
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: isJson ? answer.json() : undefined,
  };
}
