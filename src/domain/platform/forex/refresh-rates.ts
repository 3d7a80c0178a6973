import { hash } from 'node:crypto';
import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../service.ts';
import { importRates } from './import-rates.ts';

/** The timeout for one feed, including its body. */
const defaultTimeoutMs = 10_000;
const feedBytesMax = 4 * 1024 * 1024;

/**
 * Fetches every feed of EXCHANGE_RATE_FEEDS and stores its rates. A failing feed does not stop the others.
 * All failures are thrown as one error at the end, so that the job reports them.
 */
export async function refreshRates(
  service: Service,
  options: { now: Date; signal: AbortSignal; timeoutMs?: number },
): Promise<void> {
  const { now, signal, timeoutMs = defaultTimeoutMs } = options;
  const { exchangeRateFeeds: urls } = service.settings;
  const imports = urls.map(async (url) => {
    const source = getFeedName(url, urls);
    try {
      const text = await fetchFeed(url, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      await importRates(service, { text, source, now });
      return [];
    } catch (error) {
      return [new Error(`${source}: ${describeError(error)}`, { cause: error })];
    }
  });
  const failures = (await Promise.all(imports)).flat();
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

/**
 * Returns the name of a feed: its host and path without the query, which may contain an API key. Names of feeds
 * that differ only in the query end with a part of the query's hash.
 */
function getFeedName(url: string, urls: readonly string[]): string {
  const name = getHostAndPath(url);
  const isUnique = urls.every((other) => other === url || getHostAndPath(other) !== name);
  return isUnique ? name : `${name}#${hash('sha256', new URL(url).search).slice(0, 8)}`;
}

function getHostAndPath(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

async function fetchFeed(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`responded with ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > feedBytesMax) throw new Error(`is larger than ${feedBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeError(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
