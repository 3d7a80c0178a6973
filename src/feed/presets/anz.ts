import type { FeedDefinition } from '../feed-definition.ts';

/** ISO 20022 camt.054 as JSON. The entries are nested, so some pointers go up from the transaction. */
export const anz = {
  name: 'ANZ Real-Time Notification',
  evidence: 'verified',
  source: 'https://anz-insto.github.io/fileactive/rtn-info.html',
  authentications: {
    signature: [
      { scheme: 'key', header: 'apikey', pattern: '{key}' },
      { scheme: 'jws', header: 'x-Notification-Signature' },
    ],
  },
  mappings: [
    {
      items: '/notification/*/entry/*/entry_details/*/transaction_details/*',
      acceptIf: [{ pointer: '4/status', values: ['BOOK'] }],
      returnedIf: [{ pointer: '/return_information' }],
      id: ['/account_servicer_reference'],
      accounts: [
        ['/related_parties/creditor_account_proxy/proxy_identification'],
        ['/related_parties/creditor_account_issuer', '/related_parties/creditor_account_identification'],
        ['6/account_identification'],
      ],
      amount: '/amount/amount',
      currency: { pointer: '/amount/currency' },
      direction: { pointer: '/credit_debit_indicator', credit: ['CRDT'], debit: ['DBIT'] },
      references: [
        '/remittance_information/unstructured',
        '/end_to_end_identification',
        '4/entry_reference',
        '/transaction_identification',
      ],
      payerName: ['/related_parties/debtor_name'],
      payerAccount: [
        ['/related_parties/debtor_account_issuer', '/related_parties/debtor_account_identification'],
        ['/related_parties/debtor_account_identification'],
      ],
      paidAt: { pointers: ['6/creation_date_time', '8/creation_date_time'], format: 'iso' },
    },
  ],
  accept: () => ({ status: 200, body: { status: 'received' } }),
  createSample: ({ id, account, amount, currency, reference, payerName, paidAt }) => {
    const time = paidAt.toISOString().replace('Z', '0000+00:00');
    const money = { currency, amount };
    return {
      path: '/npp/payment-notification',
      body: JSON.stringify({
        message_identifier: `SIM${id}`,
        creation_date_time: time,
        notification: [
          {
            identification: `NTF${id}`,
            creation_date_time: time,
            account_identification: account,
            entry: [
              {
                entry_reference: 'NOTPROVIDED',
                amount: money,
                credit_debit_indicator: 'CRDT',
                status: 'BOOK',
                booking_date: time.slice(0, 10),
                value_date: time.slice(0, 10),
                domain: 'PMNT',
                family: 'RCDT',
                sub_family_code: 'SDVA',
                entry_details: [
                  {
                    transaction_details: [
                      {
                        account_servicer_reference: `PTM${id}`,
                        end_to_end_identification: 'NOTPROVIDED',
                        amount: money,
                        credit_debit_indicator: 'CRDT',
                        related_parties: { debtor_name: payerName },
                        remittance_information: { unstructured: [reference] },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      }),
    };
  },
} satisfies FeedDefinition;
