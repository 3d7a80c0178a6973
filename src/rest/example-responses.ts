import { createSessionExample } from './operations.ts';

/**
 * The example objects of the OpenAPI document, which refer to each other: a charge of HK$ 96 that is paid by FPS and
 * partly refunded, and a monthly subscription.
 */
const orders = [{ id: 'tea-7', name: 'Oolong, 250 g', quantity: 2, amount: 48 }];
const customer = { id: 'cus_01k7xexample', email: 'ada@example.com', phone: '+85251234567' };
const page = { totalPages: 1, total: 1, currentPage: 1 };

export const refundExample = {
  id: 're_01k7xexample',
  chargeId: 'ch_01k7xexample',
  customer,
  method: 'fps',
  customerAmount: 20.5,
  customerCurrency: 'HKD',
  status: 'initiated',
  payoutReference: 'REFUN2345P',
  createdAt: '2026-11-21T02:00:00.000Z',
  updatedAt: '2026-11-21T02:00:00.000Z',
};

/** An `initiated` refund includes the link where the customer enters payout details. */
const initiatedRefund = {
  ...refundExample,
  detailsUrl: 'https://pay.example/pay/refund/re_01k7xexample.3sWqk0',
};

export const chargeExample = {
  id: 'ch_01k7xexample',
  customer,
  merchantAmount: 96,
  merchantCurrency: 'HKD',
  method: 'fps',
  customerAmount: 96,
  customerCurrency: 'HKD',
  status: 'pending',
  amountReceived: 0,
  destination: {
    qrCode:
      '00020101021226270012hk.com.hkicl02071234567520400005303344540596.005802HK5912Demo Tea Ltd6002HK62130509TEAK23456D6304A10C',
    account: '1234567',
    nonce: 'TEAK23456D',
    accountName: 'Demo Tea Ltd',
    bank: 'FPS',
  },
  refunds: [],
  orders,
  notifyPayload: 'b3JkZXItNDcxMQ==',
  expiresAt: '2026-11-20T08:45:00.000Z',
  createdAt: '2026-11-20T08:15:00.000Z',
  updatedAt: '2026-11-20T08:15:00.000Z',
};

const cancelToken = 'kq0vS3M1wDq4uQmT0y1eYb7h5sWJx2nZ8pRcLfGa9oE';

const paidCharge = {
  ...chargeExample,
  status: 'completed',
  amountReceived: 96,
  refunds: [refundExample],
  updatedAt: '2026-11-20T08:30:02.417Z',
};

const sessionCharge = {
  ...paidCharge,
  notifyUrl: 'https://shop.example/notify',
  sessionId: 'ses_01k7xexample',
};

export const sessionExample = {
  id: 'ses_01k7xexample',
  status: 'created',
  ...createSessionExample,
  checkoutUrl: 'https://pay.example/checkout?sessionId=ses_01k7xexample',
  expiresAt: '2026-11-27T08:10:00.000Z',
  createdAt: '2026-11-20T08:10:00.000Z',
  updatedAt: '2026-11-20T08:10:00.000Z',
};

const plan = {
  id: 'pl_01k7xexample',
  name: 'Tea of the month',
  numPayments: 12,
  currency: 'HKD',
  recurringPayment: { amount: 96, period: 'months', count: 1 },
  initialPayment: { amount: 48, period: 'months', count: 1 },
  sendEmail: true,
  invoiceNotice: 2,
  gracePeriod: 1,
  orders,
  methods: ['fps', 'paynow'],
  status: 'active',
  createdAt: '2026-11-01T04:00:00.000Z',
  updatedAt: '2026-11-01T04:00:00.000Z',
};

export const invoiceExample = {
  id: 'in_01k7xexample',
  subscriptionId: 'sub_01k7xexample',
  number: 1,
  status: 'open',
  amount: 96,
  currency: 'HKD',
  customer,
  chargeId: 'ch_01k7yexample',
  checkoutLink: 'https://pay.example/pay/invoice/in_01k7xexample.9fTm2Q',
  pdfUrl: 'https://pay.example/pay/invoice/in_01k7xexample.9fTm2Q/pdf',
  invoiceDueOn: '2026-12-20T08:30:02.417Z',
};

export const subscriptionExample = {
  id: 'sub_01k7xexample',
  subscriptionPlanId: plan.id,
  customer,
  status: 'active',
  phase: 'active',
  createdAt: '2026-11-20T08:14:30.000Z',
  updatedAt: '2026-12-18T08:30:00.000Z',
  invoices: [invoiceExample],
  charges: [{ ...paidCharge, refunds: [], subscriptionId: 'sub_01k7xexample' }],
  nextPayment: '2026-12-20T08:30:02.417Z',
  activeUntil: '2026-12-20T08:30:02.417Z',
  numPaymentsComplete: 1,
};

/** Example responses by `operationId`, followed by the status if the examples of its statuses differ. */
export const exampleResponses: Record<string, unknown> = {
  listCharges: { charges: [paidCharge], pagination: page },
  getCharge: paidCharge,
  createCharge: { ...chargeExample, isDuplicate: false, cancelToken },
  'createCharge 200': { ...chargeExample, isDuplicate: true, cancelToken },
  createChargeHash: '5e0f6a2b9c1d4e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7',
  cancelCharge: true,
  completeSandboxCharge: { ...chargeExample, status: 'completed', updatedAt: '2026-11-20T08:16:00.000Z' },
  listRefunds: { refunds: [initiatedRefund], pagination: page },
  getRefund: initiatedRefund,
  createRefund: initiatedRefund,
  createCheckoutLink: { checkoutLink: 'https://pay.example/checkout?link=lnk_01k7xexample' },
  createSession: { ...sessionExample, clientToken: 'ses_01k7xexample.Zx3kP0mW8c' },
  getSession: { ...sessionExample, status: 'charged', updatedAt: '2026-11-20T08:15:00.000Z' },
  getSessionCharge: sessionCharge,
  createSubscriptionLink: { subscriptionLink: 'https://pay.example/pay/enrol/slk_01k7xexample.Vd83Lc' },
  listSubscriptions: { subscriptions: [subscriptionExample], pagination: page },
  getSubscription: subscriptionExample,
  listSubscriptionPlans: { subscriptionPlans: [plan], pagination: page },
  getSubscriptionPlan: plan,
  requestPhoneVerification: { isSuccess: true },
  verifyPhone: { verificationCode: 'J7m2QvT9xKc4RbWn0sYpLe6aUgHf3dZiXo8MtEkB1qA' },
  recordTransfers: {
    transfers: [
      {
        id: 'BANK-2026-11-20-0001',
        status: 'matched',
        transferId: 'tr_01k7xexample',
        chargeId: 'ch_01k7xexample',
      },
    ],
  },
  uploadFile: {
    uploadId: 'up_01k7xexample',
    size: 48_213,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  listMethods: [
    {
      country: 'HK',
      currency: 'HKD',
      methods: [
        { method: 'fps', max: 1_000_000, name: 'FPS', icon: 'https://pay.example/icons/methods/fps.svg' },
      ],
    },
  ],
  listCurrencies: ['HKD', 'SGD', 'THB', 'USD'],
  convert: { amount: 16.59, rate: 0.1728 },
  getTranslation: { translation: { page: { sandbox: 'Sandbox', backToShop: 'Back to {merchant}' } } },
};
