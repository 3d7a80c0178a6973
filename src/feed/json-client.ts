import { Agent } from 'undici';
import {
  createGuardedLookup,
  createHostResolver,
  isBlockedAddress,
  privateAddressError,
} from '../notification/guarded-lookup.ts';
import { FeedInputError } from './feed-input-error.ts';
import { type JsonNode, parseJsonDocument } from './json-document.ts';

const timeoutMs = 15_000;
const defaultResponseBytesMax = 1024 * 1024;

export type JsonCall = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: object | undefined;
};

/** The response of a bank's API. `document` is undefined if it is not JSON. */
export type JsonResponse = { status: number; document: JsonNode | undefined };

type JsonClientOptions = {
  allowPrivateTargets: boolean;
  responseBytesMax?: number;
  /** Aborts the call, which also has its own time limit. */
  signal?: AbortSignal;
};

/** Connections are reused. The address of each new connection is checked. */
const agents = new Map<boolean, Agent>();

function getAgent({ allowPrivateTargets }: JsonClientOptions): Agent {
  let agent = agents.get(allowPrivateTargets);
  if (!agent) {
    const lookup = createGuardedLookup(createHostResolver(), { allowPrivateTargets });
    agent = new Agent({ connect: { lookup, timeout: timeoutMs }, allowH2: false });
    agents.set(allowPrivateTargets, agent);
  }
  return agent;
}

/**
 * Calls a bank's API. Follows no redirects, always verifies certificates, and rejects private addresses at each
 * connection unless allowed.
 */
export async function callBankApi(
  { method, url, headers, body }: JsonCall,
  options: JsonClientOptions,
): Promise<JsonResponse> {
  const { responseBytesMax = defaultResponseBytesMax, signal } = options;
  const { origin, pathname, search, hostname } = new URL(url);
  if (isBlockedAddress(hostname, options)) throw new Error(privateAddressError);
  const response = await getAgent(options).request({
    origin,
    path: `${pathname}${search}`,
    method,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > responseBytesMax) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return { status: response.statusCode, document: tryParse(Buffer.concat(chunks)) };
}

function tryParse(bytes: Buffer): JsonNode | undefined {
  try {
    return parseJsonDocument(bytes);
  } catch (error) {
    if (error instanceof FeedInputError) return undefined;
    throw error;
  }
}
