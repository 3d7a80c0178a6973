import type { FeedCredentials } from '../authentication.ts';
import type { JsonCall, JsonResponse } from '../json-client.ts';
import { findPlaces, type JsonNode, readTexts } from '../json-document.ts';
import { PullError } from './pull-error.ts';

/** An API to poll, and the window of transactions to read. */
export type PullApi = {
  /** The base URL without a trailing slash. */
  url: string;
  isSandbox: boolean;
  providerAccountId: string;
  credentials: FeedCredentials;
  /** The accounts, as the provider names them. */
  accounts: readonly { bankAccount: string; currency: string }[];
  from: Date;
  to: Date;
  call: (call: JsonCall) => Promise<JsonResponse>;
  signal: AbortSignal;
};

/** A transaction as the API returns it. It is stored unchanged, and the mapping of the feed reads it. */
export type FetchedTransaction = { account: string; transaction: JsonNode };

/** Reads the transactions of a window, page by page if the API has pages. */
export type TransactionSource = (api: PullApi) => AsyncGenerator<FetchedTransaction>;

/** Throws `PullError` if the time limit of the poll has passed, or the process stops. */
export function throwIfAborted({ aborted, reason: cause }: AbortSignal): void {
  if (aborted) throw new PullError('timeout', 'the poll was stopped', { cause });
}

/**
 * Calls an API and returns its JSON. Throws `PullError` if the call fails, or the response is not a 2xx response with
 * JSON.
 */
export async function callPullApi(api: PullApi, call: JsonCall): Promise<JsonNode> {
  const { status, document } = await api.call(call).catch((cause: Error) => {
    throwIfAborted(api.signal);
    throw new PullError('connection_failed', cause.message, { cause });
  });
  if (status === 401 || status === 403)
    throw new PullError('credentials_rejected', `the API responded with ${status}`);
  if (status < 200 || status > 299) throw new PullError('api_error', `the API responded with ${status}`);
  if (document === undefined) throw new PullError('api_error', 'the response is not JSON');
  return document;
}

export function readList(document: JsonNode, pointer: string): JsonNode[] {
  const [list] = findPlaces({ node: document, ancestors: [] }, pointer);
  if (!Array.isArray(list?.node)) throw new PullError('api_error', `the response has no list at ${pointer}`);
  return list.node;
}

export function readText(document: JsonNode, pointer: string): string | undefined {
  return readTexts({ node: document, ancestors: [] }, pointer)[0];
}
