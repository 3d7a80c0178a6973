import { toLocalTime } from '../../kit/local-time.ts';
import type { FeedDefinition } from '../feed-definition.ts';
import type { JsonNode } from '../json-document.ts';

const timeZone = 'Asia/Jakarta';
const signed = {
  header: 'X-SIGNATURE',
  pattern: '{signature}',
  encoding: 'base64',
  timestamp: { header: 'X-TIMESTAMP', unit: 'iso' },
} as const;

/** SNAP, the open API standard of Bank Indonesia: payments to virtual accounts and by QRIS. */
export const snap = {
  name: 'SNAP (Indonesia)',
  evidence: 'documented',
  source: 'https://developer.ifortepay.id/snap/payment-gateway/qris/payment-notification',
  authentications: {
    symmetric: [
      {
        ...signed,
        scheme: 'hmac',
        algorithm: 'sha512',
        signedText: '{method}:{path}:{token}:{minifiedBodySha256}:{timestamp}',
      },
    ],
    asymmetric: [
      { ...signed, scheme: 'rsa', signedText: '{method}:{path}:{minifiedBodySha256}:{timestamp}' },
    ],
  },
  // The token does not authenticate a notification; its own signature does.
  token: {
    path: '/v1.0/access-token/b2b',
    authentication: { ...signed, scheme: 'rsa', signedText: '{clientKey}|{timestamp}' },
    accept: (accessToken) => ({
      status: 200,
      body: {
        responseCode: '2007300',
        responseMessage: 'Successful',
        accessToken,
        tokenType: 'Bearer',
        expiresIn: '900',
      },
    }),
    reject: () => ({
      status: 401,
      body: { responseCode: '4017300', responseMessage: 'Unauthorized. [Signature]' },
    }),
  },
  mappings: [
    {
      appliesIf: [{ pointer: '/virtualAccountNo' }, { pointer: '/paidAmount' }],
      items: '',
      id: ['/paymentRequestId'],
      accounts: [['/virtualAccountNo'], ['/partnerServiceId']],
      amount: '/paidAmount/value',
      currency: { pointer: '/paidAmount/currency' },
      direction: 'credit',
      references: ['/trxId', '/virtualAccountNo', '/referenceNo'],
      payerName: ['/virtualAccountName'],
      paidAt: { pointers: ['/trxDateTime'], format: 'iso', timeZone },
    },
    {
      appliesIf: [{ pointer: '/originalReferenceNo' }],
      items: '',
      acceptIf: [{ pointer: '/latestTransactionStatus', values: ['00'] }],
      id: ['/originalReferenceNo'],
      accounts: [
        ['/externalStoreId'],
        ['/additionalInfo/mpan'],
        ['/additionalInfo/nmid'],
        ['/additionalInfo/merchantId'],
      ],
      amount: '/amount/value',
      currency: { pointer: '/amount/currency' },
      direction: 'credit',
      references: ['/originalPartnerReferenceNo', '/additionalInfo/note', '/additionalInfo/invoice'],
      payerName: [
        '/additionalInfo/cust_name',
        '/additionalInfo/customerName',
        '/additionalInfo/buyerFullname',
      ],
      paidAt: {
        pointers: ['/additionalInfo/paidTime', '/additionalInfo/transactionDate', '/transactionDate'],
        format: 'iso',
        timeZone,
      },
    },
  ],
  accept: (document) => ({ status: 200, body: toSuccess(document) }),
  reject: () => ({
    status: 401,
    body: { responseCode: '4012500', responseMessage: 'Unauthorized. [Signature]' },
  }),
  createSample: ({ id, account, amount, currency, reference, payerName, paidAt }) => ({
    path: '/v1.0/transfer-va/payment',
    headers: { authorization: 'Bearer simulator', 'x-partner-id': 'simulator', 'x-external-id': id },
    body: JSON.stringify({
      partnerServiceId: account.padStart(8),
      customerNo: id,
      virtualAccountNo: `${account.padStart(8)}${id}`,
      virtualAccountName: payerName,
      trxId: reference,
      paymentRequestId: `SIM${id}`,
      paidAmount: { value: amount.includes('.') ? amount : `${amount}.00`, currency },
      trxDateTime: `${toLocalTime(paidAt, timeZone).slice(0, 19)}+07:00`,
      referenceNo: id,
    }),
  }),
} satisfies FeedDefinition;

/** Virtual accounts (service 25) expect their data back, QRIS (service 52) only a code. */
function toSuccess(document: JsonNode | undefined): object {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  if (!isObject || !('virtualAccountNo' in document))
    return { responseCode: '2005200', responseMessage: 'Successful' };
  const names = ['partnerServiceId', 'customerNo', 'virtualAccountNo', 'virtualAccountName', 'trxId'];
  const echo = [...names, 'paymentRequestId', 'paidAmount', 'trxDateTime', 'referenceNo'].flatMap((name) =>
    name in document ? [[name, document[name]]] : [],
  );
  return {
    responseCode: '2002500',
    responseMessage: 'Successful',
    virtualAccountData: Object.fromEntries(echo),
  };
}
