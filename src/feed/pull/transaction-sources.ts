import { readAkahuTransactions } from './akahu.ts';
import { popbillApiUrls, readPopbillDeposits } from './popbill.ts';
import type { TransactionSource } from './transaction-source.ts';
import { readWiseStatements } from './wise.ts';

/** How the transactions of each kind of feed are fetched, and the public URLs of its API. */
export const transactionSources: Record<
  string,
  { read: TransactionSource; urls: Record<'live' | 'sandbox', string> } | undefined
> = {
  akahu: {
    read: readAkahuTransactions,
    urls: { live: 'https://api.akahu.io', sandbox: 'https://api.akahu.io' },
  },
  popbill: { read: readPopbillDeposits, urls: popbillApiUrls },
  wise: {
    read: readWiseStatements,
    urls: { live: 'https://api.wise.com', sandbox: 'https://api.wise-sandbox.com' },
  },
};
