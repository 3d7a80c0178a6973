import { setTimeout as delay } from 'node:timers/promises';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basicAuth } from '../setup/api.ts';
import type { Json } from '../setup/graphql.ts';

/** The maximum duration of a request. */
const responseMsMax = 10_000;
const pauseMs = 20;

/** `isRepeat`: an earlier request had no conclusive response. */
export type ClientResponse = { status: number | 'cut off' | 'timeout'; json: Json; isRepeat: boolean };

/** `ledger` and `key` are those of the caller. `accept` returns whether an error response is conclusive. */
type ClientCall = {
  shop: { url: () => string };
  ledger: { wrong: string[]; rejected: number; cutOff: number };
  keys: ModeKeys;
  key?: string;
  accept?: (response: ClientResponse) => boolean;
};

/** Calls the REST API with retries until the call is acknowledged. */
export async function callUntilAcknowledged(
  by: ClientCall,
  method: string,
  path: string,
  body?: unknown,
): Promise<ClientResponse> {
  for (let isRepeat = false; ; isRepeat = true) {
    const response = { ...(await send(by, method, path, body)), isRepeat };
    if (response.status === 200 || response.status === 201 || by.accept?.(response)) return response;
    await recordFailure(
      by,
      `${method} ${path}`,
      response,
      response.json?.status === 503 && response.json.code === 'unavailable',
    );
  }
}

/** Calls a mutation with retries until it is acknowledged; `json` is its result. */
export async function mutateUntilAcknowledged(
  by: ClientCall,
  field: string,
  input: object,
  selection: string,
): Promise<ClientResponse> {
  const Input = `${field[0]!.toUpperCase()}${field.slice(1)}`;
  const query = `mutation ($input: ${Input}Input!) { ${field}(input: $input) {
    ... on ${Input}Success { ${selection} } ... on UserError { code message } } }`;
  for (let isRepeat = false; ; isRepeat = true) {
    const { status, json: body } = await send(by, 'POST', '/graphql', { query, variables: { input } });
    const response = { status, json: body?.data?.[field] ?? body, isRepeat };
    const isError = response.json?.code !== undefined;
    if ((body?.data?.[field] && !isError) || by.accept?.(response)) return response;
    const code = body?.errors?.[0]?.extensions?.code ?? response.json?.code;
    await recordFailure(by, field, response, code === 'unavailable');
  }
}

/** Counts a failure that allows a retry, and waits. Throws for any other response, which ends the client. */
async function recordFailure(
  { ledger }: ClientCall,
  what: string,
  response: ClientResponse,
  isUnavailable: boolean,
): Promise<void> {
  // The first request may still be running, for the duration of a transaction.
  const isRunning = response.json?.code === 'idempotency_in_progress';
  if (response.status === 'cut off') ledger.cutOff++;
  else if (isUnavailable || isRunning) ledger.rejected++;
  else {
    ledger.wrong.push(`${what}: ${response.status} ${JSON.stringify(response.json)}`);
    throw new Error(ledger.wrong.at(-1));
  }
  await delay(pauseMs);
}

async function send({ shop, keys, key }: ClientCall, method: string, path: string, body: unknown) {
  const request = {
    method,
    headers: {
      authorization: basicAuth(keys),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && method === 'POST' && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(responseMsMax),
  };
  try {
    const response = await fetch(`${shop.url()}${path}`, request);
    return { status: response.status, json: (await response.json()) as Json };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return { status: isLate ? ('timeout' as const) : ('cut off' as const), json: null };
  }
}
