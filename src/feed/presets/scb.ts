import { toLocalTime } from '../../kit/local-time.ts';
import type { FeedDefinition } from '../feed-definition.ts';

const timeZone = 'Asia/Bangkok';

/** The bank signs nothing, so its inquiry API must confirm each payment. */
export const scb = {
  name: 'SCB Payment Confirmation',
  evidence: 'documented',
  source: 'https://developer.scb/assets/documents/documentation/qr-payment/payment-confirmation.html',
  authentications: { confirmation: [] },
  confirmation: 'scb',
  mappings: [
    {
      items: '',
      id: ['/transactionId'],
      accounts: [['/payeeProxyId'], ['/payeeAccountNumber']],
      amount: '/amount',
      currency: { pointer: '/currencyCode', codes: { '764': 'THB' } },
      direction: 'credit',
      references: ['/billPaymentRef1', '/billPaymentRef2', '/billPaymentRef3'],
      payerName: ['/payerName'],
      payerAccount: [['/payerAccountNumber'], ['/payerProxyId']],
      paidAt: { pointers: ['/transactionDateandTime'], format: 'iso', timeZone },
    },
  ],
  accept(document) {
    const transactionId =
      typeof document === 'object' && document !== null && !Array.isArray(document)
        ? (document.transactionId ?? '')
        : '';
    return { status: 200, body: { resCode: '00', resDesc: 'success', transactionId } };
  },
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => ({
    body: JSON.stringify({
      payeeProxyId: account,
      payeeProxyType: 'BILLERID',
      payerName,
      sendingBankCode: '014',
      receivingBankCode: '014',
      amount,
      transactionId: `SIM${id}`,
      transactionDateandTime: `${toLocalTime(paidAt, timeZone).slice(0, 19)}+07:00`,
      billPaymentRef1: reference,
      currencyCode: '764',
      channelCode: 'PMH',
      transactionType: 'Domestic Transfers',
    }),
  }),
} satisfies FeedDefinition;
