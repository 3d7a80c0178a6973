import { type FeedDefinition, ignoreOthers } from '../feed-definition.ts';

/** The webhook only announces that something changed; the statement of the balance has the payer's reference. */
export const wise = {
  name: 'Wise',
  evidence: 'documented',
  source: 'https://docs.wise.com/api-reference/balance-statement',
  authentications: {
    poll: [],
    webhook: [
      {
        scheme: 'rsa',
        header: 'X-Signature-SHA256',
        pattern: '{signature}',
        encoding: 'base64',
        signedText: '{body}',
      },
    ],
  },
  pull: {
    kind: 'transactions',
    intervalMinutes: 15,
    intervalMinutesMin: 1,
    requiredSettings: ['providerAccountId'],
    requiredCredentials: ['key'],
  },
  mappings: [
    {
      appliesIf: [{ pointer: '/transaction/referenceNumber' }],
      items: '/transaction',
      id: ['/referenceNumber'],
      accounts: [['1/account']],
      amount: '/amount/value',
      currency: { pointer: '/amount/currency' },
      direction: { pointer: '/type', credit: ['CREDIT'], debit: ['DEBIT'] },
      references: ['/details/paymentReference', '/details/description'],
      payerName: ['/details/senderName'],
      payerAccount: [['/details/senderAccount']],
      paidAt: { pointers: ['/date'], format: 'iso' },
    },
    ignoreOthers,
  ],
  accept: () => ({ status: 200, body: { received: true } }),
  createSample: ({ id, account, amount, currency, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      account,
      transaction: {
        type: 'CREDIT',
        date: paidAt.toISOString(),
        amount: { value: Number(amount), currency },
        details: { type: 'DEPOSIT', senderName: payerName, paymentReference: reference },
        referenceNumber: `TRANSFER-${id}`,
      },
    }),
  }),
} satisfies FeedDefinition;
