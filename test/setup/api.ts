import type { FastifyInstance } from 'fastify';
import type { ModeKeys, NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { TestApp } from './app.ts';
import { checkResponse } from './check-response.ts';

export function basicAuth(keys: ModeKeys): string {
  return `Basic ${Buffer.from(`${keys.apiKey}:${keys.apiSecret}`).toString('base64')}`;
}

/**
 * Calls the REST API; throws if the response does not match the OpenAPI document. `json` is undefined if the
 * response is not JSON.
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
  const response = await app.inject({
    method,
    url,
    headers: {
      ...options.headers,
      authorization: basicAuth(keys),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  checkResponse(app, {
    method,
    url,
    status: response.statusCode,
    contentType: response.headers['content-type'] as string | undefined,
    body: response.body,
  });
  const isJson = String(response.headers['content-type']).includes('json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: isJson ? response.json() : undefined,
  };
}

/** Calls the REST API, by default with the live keys of a merchant. */
export function callAsMerchant(
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  body?: unknown,
  keys = merchant.keys.live,
): ReturnType<typeof callApi> {
  return callApi(app.app, { method, url, keys, body });
}
