import { createHmac, hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../kit/duration.ts';
import { toLocalDate } from '../../kit/time-zone.ts';
import { PullError } from './pull-error.ts';
import {
  callPullApi,
  type PullApi,
  readList,
  readText,
  type TransactionSource,
  throwIfAborted,
} from './transaction-source.ts';

const timeZone = 'Asia/Seoul';
const tokenUrl = 'https://auth.linkhub.co.kr';
/** The version of the token API, which is a part of the signed text. */
const tokenVersion = '2.0';
/** The scopes of a member and of the bank accounts. */
const scope = ['member', '180'];
/** The state of a job that has ended, with or without an error. */
const completedState = '3';
const jobTimeoutMs = 5 * minuteMs;
const jobIntervalMs = 2 * secondMs;
const transactionsPerPage = 1_000;

export const popbillApiUrls = {
  live: 'https://popbill.linkhub.co.kr',
  sandbox: 'https://popbill-test.linkhub.co.kr',
};

/**
 * Requests Popbill to collect the deposits of each bank account, then reads them. An account is a bank code and a
 * number, such as `0004 12345678901`.
 */
export const readPopbillDeposits: TransactionSource = async function* (api) {
  const headers = { authorization: `Bearer ${await requestToken(api)}` };
  for (const { bankAccount: account } of api.accounts) {
    const [BankCode = '', AccountNumber = ''] = account.split(' ');
    const [SDate, EDate] = [api.from, api.to].map((time) => toLocalDate(time, timeZone).replaceAll('-', ''));
    const query = new URLSearchParams({ BankCode, AccountNumber, SDate: SDate!, EDate: EDate! });
    const url = `${api.url}/EasyFin/Bank/BankAccount?${query}`;
    const jobId = readText(await callPullApi(api, { method: 'POST', url, headers }), '/jobID');
    if (jobId === undefined) throw new PullError('api_error', 'the response has no job ID');
    await waitForJob(api, jobId, headers);
    yield* readPages(api, { account, jobId, headers });
  }
};

/** Signs the token request as Linkhub describes it. */
async function requestToken(api: PullApi): Promise<string> {
  const { clientId = '', clientSecret = '' } = api.credentials;
  const path = `/${api.isSandbox ? 'POPBILL_TEST' : 'POPBILL'}/Token`;
  const body = { access_id: api.providerAccountId, scope };
  const date = api.to.toISOString();
  const bodyHash = hash('sha256', JSON.stringify(body), 'base64');
  const signedText = ['POST', bodyHash, date, tokenVersion, path].join('\n');
  const signature = createHmac('sha256', Buffer.from(clientSecret, 'base64'))
    .update(signedText)
    .digest('base64');
  const isPublic = Object.values(popbillApiUrls).includes(api.url);
  const document = await callPullApi(api, {
    method: 'POST',
    url: `${isPublic ? tokenUrl : api.url}${path}`,
    headers: {
      'x-lh-date': date,
      'x-lh-version': tokenVersion,
      authorization: `LINKHUB ${clientId} ${signature}`,
    },
    body,
  });
  const token = readText(document, '/session_token');
  if (token === undefined) throw new PullError('credentials_rejected', 'the response has no token');
  return token;
}

type PopbillHeaders = { authorization: string };

async function waitForJob(api: PullApi, jobId: string, headers: PopbillHeaders): Promise<void> {
  const url = `${api.url}/EasyFin/Bank/${encodeURIComponent(jobId)}/State`;
  for (let waitedMs = 0; waitedMs < jobTimeoutMs; waitedMs += jobIntervalMs) {
    const document = await callPullApi(api, { method: 'GET', url, headers });
    if (readText(document, '/jobState') === completedState) {
      const code = readText(document, '/errorCode');
      if (code === undefined || code === '1') return;
      const reason = readText(document, '/errorReason') ?? '';
      throw new PullError(
        'api_error',
        `Popbill could not collect the transactions: ${code} ${reason}`.slice(0, 300),
      );
    }
    await delay(jobIntervalMs, undefined, { signal: api.signal }).catch(() => throwIfAborted(api.signal));
  }
  throw new PullError('timeout', 'the transactions were not collected in time');
}

async function* readPages(
  api: PullApi,
  { account, jobId, headers }: { account: string; jobId: string; headers: PopbillHeaders },
) {
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({
      TradeType: 'I',
      Page: String(page),
      PerPage: String(transactionsPerPage),
      Order: 'A',
    });
    const url = `${api.url}/EasyFin/Bank/${encodeURIComponent(jobId)}?${query}`;
    const document = await callPullApi(api, { method: 'GET', url, headers });
    if (readText(document, '/pageNum') !== String(page))
      throw new PullError('api_repeats_page', `the response is not page ${page}`);
    for (const transaction of readList(document, '/list')) yield { account, transaction };
    if (page >= Number(readText(document, '/pageCount') ?? 1)) return;
  }
}
