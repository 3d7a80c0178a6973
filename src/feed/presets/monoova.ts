import { toLocalTime } from '../../kit/local-time.ts';
import { type FeedDefinition, ignoreOthers } from '../feed-definition.ts';
import type { FeedMapping } from '../feed-mapping.ts';

const timeZone = 'Australia/Sydney';

const common = {
  currency: { value: 'AUD' },
  direction: 'credit',
  paidAt: { pointers: ['/DateTime', '/dateTime'], format: 'day_first', timeZone },
} as const satisfies Partial<FeedMapping>;

/** Monoova writes the names of members in Pascal case; its documentation also shows them in camel case. */
export const monoova = {
  name: 'Monoova',
  evidence: 'documented',
  source: 'https://github.com/sdks-io/monoova-js-sdk',
  authentications: {
    signature: [
      {
        scheme: 'rsa',
        header: 'Verification-Signature',
        pattern: '{signature}',
        encoding: 'base64',
        signedText: '{body}',
      },
      { scheme: 'key', header: 'Authorization', pattern: '{key}', isOptional: true },
    ],
  },
  mappings: [
    {
      ...common,
      appliesIf: [{ pointer: '/DirectCreditDetails' }],
      items: '/DirectCreditDetails/*',
      id: ['/TransactionId'],
      accounts: [['/Bsb', '/AccountNumber'], ['/AccountNumber']],
      amount: '/Amount',
      references: ['/LodgementRef'],
      payerName: ['/RemitterName'],
      payerAccount: [['/SourceBsb', '/SourceAccountNumber'], ['/SourceAccountNumber']],
    },
    // Other events, such as returns of outgoing payments, also have an ID and an amount, but no `DateTime`.
    {
      ...common,
      appliesIf: [{ pointer: '/DateTime' }, { pointer: '/Amount' }],
      items: '',
      id: ['/TransactionId'],
      accounts: [['/PayId'], ['/payId'], ['/Bsb', '/AccountNumber'], ['/AccountNumber']],
      amount: '/Amount',
      references: ['/PaymentDescription', '/EndToEndId'],
      payerName: ['/SourceAccountName', '/RemitterName'],
      payerAccount: [['/SourceBsb', '/SourceAccountNumber'], ['/SourceAccountNumber']],
    },
    {
      ...common,
      appliesIf: [{ pointer: '/dateTime' }, { pointer: '/amount' }],
      items: '',
      id: ['/transactionId'],
      accounts: [['/payId'], ['/bsb', '/accountNumber'], ['/accountNumber']],
      amount: '/amount',
      references: ['/paymentDescription', '/endToEndId'],
      payerName: ['/sourceAccountName', '/remitterName'],
      payerAccount: [['/sourceBsb', '/sourceAccountNumber'], ['/sourceAccountNumber']],
    },
    ignoreOthers,
  ],
  accept: () => ({ status: 200, body: { received: true } }),
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      TransactionId: `N${id}`,
      DateTime: toDayFirst(toLocalTime(paidAt, timeZone)),
      RemitterName: payerName,
      Amount: `${amount}00`,
      AccountName: 'Simulated account',
      AccountNumber: account,
      PaymentDescription: reference,
      SourceAccountName: payerName,
      EndToEndId: 'NOTPROVIDED',
    }),
  }),
} satisfies FeedDefinition;

/** Converts `2020-10-20T00:00:01` to `20/10/2020 12:00:01 AM`. */
function toDayFirst(local: string): string {
  const [year, month, day] = local.slice(0, 10).split('-');
  const hour = Number(local.slice(11, 13));
  return `${day}/${month}/${year} ${hour % 12 || 12}${local.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`;
}
