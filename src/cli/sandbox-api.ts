import { Causeway, CausewayError } from '../../packages/client/src/index.ts';
import { UsageError } from './command.ts';

/** A sandbox, as the owner of one of its API keys uses it over the network. */
export type SandboxApi = {
  client: Causeway;
  url: string;
  merchantId: string;
  /** The cursor of the last event. Null if the log is empty. */
  cursor: string | null;
};

const sandboxDocument = `query {
  me { id }
  testClock { id }
  events(first: 1) { edges { cursor } totalCount }
}`;

type SandboxState = {
  me: { id: string };
  testClock: { id: string } | null;
  events: { edges: { cursor: string }[]; totalCount: number };
};

/** Connects to the sandbox of the API key in the environment. Rejects keys of the live mode. */
export async function connectToSandbox(
  options: Record<string, string | boolean | undefined>,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SandboxApi> {
  const { CAUSEWAY_API_KEY: key, CAUSEWAY_API_SECRET: secret } = env;
  if (!key || !secret)
    throw new UsageError('Set CAUSEWAY_API_KEY and CAUSEWAY_API_SECRET to an API key of the sandbox');
  const liveKeyError = new UsageError('The API key is live: use one of the sandbox');
  if (secret.startsWith('cs_live_')) throw liveKeyError;
  const { href: url } = readUrl('url', options.url ?? 'http://localhost:4000');
  const client = new Causeway({ url, key, secret });
  const { me, testClock, events } = await client
    .graphql<SandboxState>(sandboxDocument, {}, { signal })
    .catch((error: unknown) => {
      if (!(error instanceof CausewayError && error.code === 'connection_failed')) throw error;
      throw new Error(`${error.message}: start the service, or set --url`, { cause: error });
    });
  if (testClock === null) throw liveKeyError;
  return { client, url, merchantId: me.id, cursor: findLastCursor(events) };
}

/** The log has no gaps, so its last cursor follows from its first one and the number of events. */
function findLastCursor({ edges: [first], totalCount }: SandboxState['events']): string | null {
  return first ? String(Number(first.cursor) + totalCount - 1) : null;
}

export function readUrl(name: string, value: string | boolean): URL {
  const url = URL.parse(String(value));
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`--${name} must be a URL that begins with http:// or https://`);
}
