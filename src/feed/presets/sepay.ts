import { toLocalTime } from '../../kit/local-time.ts';
import type { FeedDefinition } from '../feed-definition.ts';

const timeZone = 'Asia/Ho_Chi_Minh';

export const sepay = {
  name: 'SePay',
  evidence: 'documented',
  source: 'https://developer.sepay.vn/en/sepay-webhooks',
  authentications: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'X-SePay-Signature',
        pattern: 'sha256={signature}',
        encoding: 'hex',
        signedText: '{timestamp}.{body}',
        timestamp: { header: 'X-SePay-Timestamp', unit: 'seconds' },
      },
    ],
    key: [{ scheme: 'key', header: 'Authorization', pattern: 'Apikey {key}' }],
  },
  mappings: [
    {
      items: '',
      id: ['/id'],
      accounts: [['/subAccount'], ['/accountNumber']],
      amount: '/transferAmount',
      currency: { value: 'VND' },
      direction: { pointer: '/transferType', credit: ['in'], debit: ['out'] },
      references: ['/content', '/code', '/description'],
      paidAt: { pointers: ['/transactionDate'], format: 'iso', timeZone },
    },
  ],
  accept: () => ({ status: 200, body: { success: true } }),
  createSample: ({ id, account, amount, reference, paidAt }) => ({
    body: JSON.stringify({
      id: Number(id),
      gateway: 'Vietcombank',
      transactionDate: toLocalTime(paidAt, timeZone).slice(0, 19).replace('T', ' '),
      accountNumber: account,
      code: null,
      content: reference,
      transferType: 'in',
      transferAmount: Number(amount),
      accumulated: Number(amount),
      subAccount: null,
      referenceCode: `MBVCB.${id}`,
      description: `BankAPINotify ${reference}`,
    }),
  }),
} satisfies FeedDefinition;
