import { type FeedDefinition, ignoreOthers } from '../feed-definition.ts';

/** The webhook only names the account; the API has its transactions. */
export const akahu = {
  name: 'Akahu',
  evidence: 'documented',
  source: 'https://developers.akahu.nz/docs/accessing-transactional-data',
  authentications: {
    poll: [],
    webhook: [
      {
        scheme: 'rsa',
        header: 'X-Akahu-Signature',
        pattern: '{signature}',
        encoding: 'base64',
        signedText: '{body}',
      },
    ],
  },
  pull: {
    kind: 'transactions',
    intervalMinutes: 15,
    intervalMinutesMin: 5,
    requiredSettings: [],
    requiredCredentials: ['key', 'clientId'],
  },
  mappings: [
    {
      appliesIf: [{ pointer: '/transaction/_id' }],
      items: '/transaction',
      // A transaction that moved to another connection of the same bank keeps its first ID.
      id: ['/_migrated', '/_id'],
      accounts: [['/_account'], ['1/account']],
      amount: '/amount',
      currency: { value: 'NZD' },
      direction: 'sign',
      references: ['/description', '/meta/particulars', '/meta/code', '/meta/reference'],
      payerAccount: [['/meta/other_account']],
      paidAt: { pointers: ['/date'], format: 'iso' },
    },
    ignoreOthers,
  ],
  accept: () => ({ status: 200, body: { received: true } }),
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      account,
      transaction: {
        _id: `trans_${id}`,
        _account: account,
        date: paidAt.toISOString(),
        description: `Direct Credit ${payerName}`,
        amount: Number(amount),
        type: 'DIRECT CREDIT',
        meta: { reference },
      },
    }),
  }),
} satisfies FeedDefinition;
