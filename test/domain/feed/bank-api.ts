import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnCleanup } from '../../setup/cleanup.ts';

type BankApiFault = 'error' | 'hangs' | 'repeats_page' | 'rejects' | 'not_json' | undefined;

export type BankApi = {
  url: string;
  /** The transactions that the API knows, in the format of its vendor. */
  transactions: object[];
  requests: { path: string; query: Record<string, string> }[];
  setFault(fault: BankApiFault): void;
};

export const apiToken = 'a token of the provider';
export const apiClientId = 'a client of the provider';
/** The secret is in base64, as Linkhub issues it. */
export const apiClientSecret = Buffer.from('a secret of the provider').toString('base64');

type Answer = { status: number; body: unknown };
type BankApiRequest = { request: IncomingMessage; path: string; query: URLSearchParams; body: string };

/** Starts a server that responds as the vendors of polled feeds document it, with two transactions per page. */
export async function startBankApi(onCleanup: OnCleanup): Promise<BankApi> {
  let fault: BankApiFault;
  const state: BankApi = {
    url: '',
    transactions: [],
    requests: [],
    setFault(next) {
      fault = next;
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://localhost');
    state.requests.push({ path, query: Object.fromEntries(query) });
    if (fault === 'hangs') return;
    const apiRequest = { request, path, query, body: Buffer.concat(chunks).toString() };
    const { status, body } = answer(apiRequest, state.transactions, fault);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return state;
}

function answer(apiRequest: BankApiRequest, transactions: object[], fault: BankApiFault): Answer {
  if (fault === 'error') return { status: 500, body: { error: 'internal' } };
  if (fault === 'rejects') return { status: 401, body: { error: 'unauthorized' } };
  if (fault === 'not_json') return { status: 200, body: '<html>maintenance</html>' };
  const { path, request } = apiRequest;
  if (path.endsWith('/Token')) return answerToken(apiRequest);
  if (request.headers.authorization !== `Bearer ${apiToken}`) return { status: 401, body: {} };
  if (path.startsWith('/v1/profiles/')) return { status: 200, body: { transactions } };
  if (path.startsWith('/v1/accounts/')) return answerAkahu(apiRequest, transactions, fault);
  return answerPopbill(apiRequest, transactions, fault);
}

function answerAkahu(
  { query, request }: BankApiRequest,
  transactions: object[],
  fault: BankApiFault,
): Answer {
  if (request.headers['x-akahu-id'] !== apiClientId) return { status: 401, body: {} };
  const start = fault === 'repeats_page' ? 0 : Number(query.get('cursor') ?? 0);
  const items = transactions.slice(start, start + 2);
  const hasMore = start + 2 < transactions.length;
  return {
    status: 200,
    body: { success: true, items, ...(hasMore && { cursor: { next: String(start + 2) } }) },
  };
}

/** Checks the signature as Linkhub's own client computes it. */
function answerToken({ request, path, body }: BankApiRequest): Answer {
  const { authorization, 'x-lh-date': date, 'x-lh-version': version } = request.headers;
  const digest = createHash('sha256').update(body).digest('base64');
  const text = `POST\n${digest}\n${date}\n${version}\n${path}`;
  const key = Buffer.from(apiClientSecret, 'base64');
  const expected = createHmac('sha256', key).update(text).digest('base64');
  if (authorization !== `LINKHUB ${apiClientId} ${expected}`) return { status: 401, body: {} };
  return { status: 200, body: { session_token: apiToken, serviceID: 'POPBILL' } };
}

function answerPopbill({ path, query }: BankApiRequest, transactions: object[], fault: BankApiFault): Answer {
  if (path === '/EasyFin/Bank/BankAccount') return { status: 200, body: { jobID: '021102220000000001' } };
  if (path.endsWith('/State')) return { status: 200, body: { jobState: 3, errorCode: 1, errorReason: '' } };
  const pageNum = fault === 'repeats_page' ? 1 : Number(query.get('Page') ?? 1);
  const list = transactions.slice((pageNum - 1) * 2, pageNum * 2);
  const pageCount = Math.max(1, Math.ceil(transactions.length / 2));
  return { status: 200, body: { code: 1, total: transactions.length, perPage: 2, pageNum, pageCount, list } };
}
