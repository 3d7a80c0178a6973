import { callPullApi, readList, type TransactionSource } from './transaction-source.ts';

/** Reads the statement of each Wise balance. An account is the ID of a balance. */
export const readWiseStatements: TransactionSource = async function* (api) {
  for (const { bankAccount: account, currency } of api.accounts) {
    const query = new URLSearchParams({
      currency,
      intervalStart: api.from.toISOString(),
      intervalEnd: api.to.toISOString(),
      type: 'COMPACT',
    });
    const profile = encodeURIComponent(api.providerAccountId);
    const path = `/v1/profiles/${profile}/balance-statements/${encodeURIComponent(account)}/statement.json`;
    const document = await callPullApi(api, {
      method: 'GET',
      url: `${api.url}${path}?${query}`,
      headers: { authorization: `Bearer ${api.credentials.key ?? ''}` },
    });
    for (const transaction of readList(document, '/transactions')) yield { account, transaction };
  }
};
