import { Agent } from 'undici';
import {
  createGuardedLookup,
  createHostResolver,
  isBlockedAddress,
  privateAddressError,
} from '../notification/guarded-lookup.ts';

const timeoutMs = 15_000;
const responseBytesMax = 1024 * 1024;

export type JsonCall = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: object | undefined;
};

/** The response of a bank's API. `body` is undefined if it is not JSON. */
export type JsonResponse = { status: number; body: unknown };

/**
 * Calls a bank's API. Follows no redirects, always verifies certificates, and rejects private addresses at
 * each connection unless allowed. Throws an `Error` with a short reason if there is no response.
 */
export async function callBankApi(
  { method, url, headers, body }: JsonCall,
  options: { allowPrivateWebhookUrls: boolean },
): Promise<JsonResponse> {
  const { origin, pathname, search, hostname } = new URL(url);
  if (isBlockedAddress(hostname, options)) throw new Error(privateAddressError);
  const agent = new Agent({
    connect: { lookup: createGuardedLookup(createHostResolver(), options), timeout: timeoutMs },
    allowH2: false,
  });
  try {
    const response = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > responseBytesMax) throw new Error('the response is too large');
      chunks.push(chunk);
    }
    return { status: response.statusCode, body: tryParse(Buffer.concat(chunks).toString('utf8')) };
  } finally {
    await agent.destroy();
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
