import type { FeedDefinition } from '../feed-definition.ts';

export const airwallex = {
  name: 'Airwallex',
  evidence: 'documented',
  source: 'https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events/deposits',
  authentications: {
    signature: [
      {
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-signature',
        pattern: '{signature}',
        encoding: 'hex',
        signedText: '{timestamp}{body}',
        timestamp: { header: 'x-timestamp', unit: 'milliseconds' },
      },
    ],
  },
  mappings: [
    {
      items: '',
      acceptIf: [
        { pointer: '/name', values: ['deposit.settled', 'deposit.reversed'] },
        { pointer: '/data/type', values: ['BANK_TRANSFER'] },
      ],
      reversalIf: [{ pointer: '/name', values: ['deposit.reversed'] }],
      id: ['/data/id'],
      accounts: [['/data/global_account_id']],
      amount: '/data/amount',
      currency: { pointer: '/data/currency' },
      direction: 'credit',
      references: ['/data/reference'],
      payerName: ['/data/payer/name', '/data/payer/bank_account/name'],
      payerAccount: [
        ['/data/payer/bank_account/au_bsb/bsb', '/data/payer/bank_account/au_bsb/account_number'],
      ],
      paidAt: { pointers: ['/data/created_at'], format: 'iso' },
    },
  ],
  accept: () => ({ status: 200, body: { received: true } }),
  createSample: ({ id, account, amount, currency, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      accountId: 'acct_simulator',
      data: {
        id: `simulated-${id}`,
        type: 'BANK_TRANSFER',
        status: 'SETTLED',
        created_at: paidAt.toISOString().replace(/\.\d+Z$/, '+0000'),
        currency,
        amount: Number(amount),
        global_account_id: account,
        payer: { name: payerName },
        reference,
        provider_transaction_id: id,
      },
      id: `event-${id}`,
      name: 'deposit.settled',
    }),
  }),
} satisfies FeedDefinition;
