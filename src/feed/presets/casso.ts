import { toLocalTime } from '../../kit/local-time.ts';
import type { FeedDefinition } from '../feed-definition.ts';
import type { FeedMapping } from '../feed-mapping.ts';

const timeZone = 'Asia/Ho_Chi_Minh';
const accept: FeedDefinition['accept'] = () => ({ status: 200, body: { error: 0, success: true } });
/** Casso's console sends a transaction with this ID to test the URL. */
const testIf: FeedMapping['testIf'] = [{ pointer: '/id', values: ['0'] }];

export const cassoV1 = {
  name: 'Casso (webhook V1)',
  evidence: 'documented',
  source: 'https://developer.casso.vn',
  authentications: { key: [{ scheme: 'key', header: 'Secure-Token', pattern: '{key}' }] },
  mappings: [
    {
      items: '/data/*',
      id: ['/id'],
      accounts: [['/virtualAccount'], ['/bank_sub_acc_id'], ['/subAccId']],
      amount: '/amount',
      currency: { value: 'VND' },
      direction: 'sign',
      references: ['/description'],
      payerName: ['/corresponsiveName'],
      payerAccount: [['/corresponsiveBankName', '/corresponsiveAccount'], ['/corresponsiveAccount']],
      paidAt: { pointers: ['/when'], format: 'iso', timeZone },
      testIf,
    },
  ],
  accept,
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      error: 0,
      data: [
        {
          id: Number(id),
          tid: `TF${id}`,
          description: reference,
          amount: Number(amount),
          cusum_balance: Number(amount),
          when: toLocalTime(paidAt, timeZone).slice(0, 19).replace('T', ' '),
          bank_sub_acc_id: account,
          subAccId: account,
          virtualAccount: '',
          corresponsiveName: payerName,
        },
      ],
    }),
  }),
} satisfies FeedDefinition;

export const cassoV2 = {
  name: 'Casso (webhook V2)',
  evidence: 'verified',
  source: 'https://developer.casso.vn',
  authentications: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha512',
        header: 'X-Casso-Signature',
        pattern: 't={timestamp},v1={signature}',
        encoding: 'hex',
        signedText: '{timestamp}.{sortedBody}',
        timestamp: { unit: 'milliseconds' },
      },
    ],
  },
  mappings: [
    {
      items: '/data',
      id: ['/id'],
      accounts: [['/virtualAccountNumber'], ['/accountNumber']],
      amount: '/amount',
      currency: { value: 'VND' },
      direction: 'sign',
      references: ['/description'],
      payerName: ['/counterAccountName'],
      payerAccount: [['/counterAccountBankName', '/counterAccountNumber'], ['/counterAccountNumber']],
      paidAt: { pointers: ['/transactionDateTime'], format: 'iso', timeZone },
      testIf,
    },
  ],
  accept,
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      error: 0,
      data: {
        id: Number(id),
        reference: `TF${id}`,
        description: reference,
        amount: Number(amount),
        runningBalance: Number(amount),
        transactionDateTime: toLocalTime(paidAt, timeZone).slice(0, 19).replace('T', ' '),
        accountNumber: account,
        bankName: 'VPBank',
        bankAbbreviation: 'VPB',
        virtualAccountNumber: '',
        virtualAccountName: '',
        counterAccountName: payerName,
      },
    }),
  }),
} satisfies FeedDefinition;
