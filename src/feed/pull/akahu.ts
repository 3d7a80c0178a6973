import { PullError } from './pull-error.ts';
import { callPullApi, readList, readText, type TransactionSource } from './transaction-source.ts';

/** Reads the settled transactions of each account, `acc_…`, of an Akahu app. */
export const readAkahuTransactions: TransactionSource = async function* (api) {
  const headers = {
    authorization: `Bearer ${api.credentials.key ?? ''}`,
    'x-akahu-id': api.credentials.clientId ?? '',
  };
  for (const { bankAccount: account } of api.accounts) {
    const url = `${api.url}/v1/accounts/${encodeURIComponent(account)}/transactions`;
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const query = new URLSearchParams({
        start: api.from.toISOString(),
        end: api.to.toISOString(),
        ...(cursor !== undefined && { cursor }),
      });
      const document = await callPullApi(api, { method: 'GET', url: `${url}?${query}`, headers });
      for (const transaction of readList(document, '/items')) yield { account, transaction };
      cursor = readText(document, '/cursor/next');
      if (cursor === undefined) break;
      if (cursors.has(cursor)) throw new PullError('api_repeats_page', 'the cursor does not advance');
      cursors.add(cursor);
    }
  }
};
