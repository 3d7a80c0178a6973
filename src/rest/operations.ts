import type { TwoFactorRule } from '../domain/accounts/user/require-recent-two-factor.ts';
import type { ErrorCode } from '../kit/errors.ts';

/**
 * The part of an operation's documentation that its schemas do not contain. A test checks that every documented route
 * has an entry.
 */
export type RestOperation = {
  operationId: string;
  /** Errors specific to the operation; `commonErrors` are added. */
  errors: readonly ErrorCode[];
  /** A valid body with placeholder IDs. */
  exampleRequest?: object;
  /** Whether the operation requires restricted access in live mode. */
  isRestricted?: true;
  /** For routes that users can call: when a recent two-factor code is required. */
  twoFactor?: TwoFactorRule;
  acceptsFile?: true;
};

const orders = [{ id: 'tea-7', name: 'Oolong, 250 g', quantity: 2, amount: 48 }];
const phone = { code: '+852', phone: '51234567' };
const customer = { email: 'ada@example.com', phone, firstName: 'Ada', lastName: 'Wong' };
const chargeErrors: readonly ErrorCode[] = [
  'method_unavailable',
  'amount_out_of_range',
  'currency_unsupported',
  'rate_unavailable',
  'rate_stale',
];

export const createSessionExample = {
  amount: 96,
  currency: 'HKD',
  orders,
  methods: ['fps', 'paynow'],
  notifyUrl: 'https://shop.example/notify',
  notifyPayload: 'b3JkZXItNDcxMQ==',
  metadata: { order: '4711' },
  redirectUrl: 'https://shop.example/thanks',
  customer,
};

export const operations: Record<string, RestOperation> = {
  'GET /charges': { operationId: 'listCharges', errors: [] },
  'GET /charges/{id}': { operationId: 'getCharge', errors: ['charge_not_found'] },
  'POST /charges': {
    operationId: 'createCharge',
    isRestricted: true,
    errors: [
      ...chargeErrors,
      'verification_code_invalid',
      'hash_mismatch',
      'hash_required',
      'target_refused',
    ],
    exampleRequest: {
      email: 'ada@example.com',
      merchantAmount: 96,
      merchantCurrency: 'HKD',
      method: 'fps',
      orders,
      notifyPayload: 'b3JkZXItNDcxMQ==',
    },
  },
  'POST /charges/hash': {
    operationId: 'createChargeHash',
    isRestricted: true,
    errors: ['currency_unsupported'],
    exampleRequest: { merchantAmount: 96, merchantCurrency: 'HKD', orders },
  },
  'PATCH /charges/{id}/cancel': {
    operationId: 'cancelCharge',
    errors: ['charge_not_found', 'charge_not_pending'],
  },
  'POST /charges/{id}/complete': {
    operationId: 'completeSandboxCharge',
    errors: ['charge_not_found', 'charge_not_pending', 'sandbox_only'],
  },
  'GET /refunds': { operationId: 'listRefunds', errors: [] },
  'GET /refunds/{id}': { operationId: 'getRefund', errors: ['refund_not_found'] },
  'POST /refunds': {
    operationId: 'createRefund',
    errors: [
      'charge_not_found',
      'charge_not_completed',
      'amount_exceeds_refundable',
      'statement_undo_in_progress',
    ],
    exampleRequest: { chargeId: 'ch_01k7xexample', customerAmount: 20.5 },
  },
  'POST /checkout-link': {
    operationId: 'createCheckoutLink',
    errors: chargeErrors,
    exampleRequest: {
      amount: 96,
      currency: 'HKD',
      apiKey: 'pk_test_example',
      orders,
      paymentMethods: { HK: ['fps'], SG: [] },
      redirectUrl: 'https://shop.example/thanks',
      customer,
    },
  },
  'POST /sessions': {
    operationId: 'createSession',
    errors: [...chargeErrors, 'target_refused'],
    exampleRequest: createSessionExample,
  },
  'GET /sessions/{id}': { operationId: 'getSession', errors: ['session_not_found'] },
  'GET /sessions/{id}/charge': {
    operationId: 'getSessionCharge',
    errors: ['session_not_found', 'charge_not_found'],
  },
  'POST /subscription-link': {
    operationId: 'createSubscriptionLink',
    errors: [...chargeErrors, 'subscription_plan_not_found', 'subscription_plan_inactive'],
    exampleRequest: {
      subscriptionPlanId: 'pl_01k7xexample',
      customer,
      redirectUrl: 'https://shop.example/thanks',
    },
  },
  'GET /subscriptions': { operationId: 'listSubscriptions', errors: [] },
  'GET /subscriptions/{id}': { operationId: 'getSubscription', errors: ['subscription_not_found'] },
  'GET /subscription-plans': { operationId: 'listSubscriptionPlans', errors: [] },
  'GET /subscription-plans/{id}': {
    operationId: 'getSubscriptionPlan',
    errors: ['subscription_plan_not_found'],
  },
  'POST /customers/phone/verification': {
    operationId: 'requestPhoneVerification',
    isRestricted: true,
    errors: [],
    exampleRequest: { phone },
  },
  'POST /customers/phone/verify': {
    operationId: 'verifyPhone',
    isRestricted: true,
    errors: ['verification_code_invalid'],
    exampleRequest: { phone, code: '012345' },
  },
  'POST /transfers': {
    operationId: 'recordTransfers',
    errors: [],
    exampleRequest: {
      transfers: [
        {
          id: 'BANK-2026-11-20-0001',
          method: 'fps',
          account: '1234567',
          amount: 96,
          currency: 'HKD',
          reference: 'TEAK23456D',
          payerName: 'WONG ADA',
          paidAt: '2026-11-20T08:30:00Z',
        },
      ],
    },
  },
  'PUT /uploads': { operationId: 'uploadFile', twoFactor: 'live', errors: [], acceptsFile: true },
  'GET /statements/{id}/file': {
    operationId: 'getStatementFile',
    twoFactor: 'never',
    errors: ['statement_not_found'],
  },
  'GET /exports/{id}/file': {
    operationId: 'getExportFile',
    twoFactor: 'payouts',
    errors: ['export_not_found'],
  },
  'GET /methods': { operationId: 'listMethods', errors: [] },
  'GET /currencies': { operationId: 'listCurrencies', errors: [] },
  'GET /forex': {
    operationId: 'convert',
    errors: ['currency_unsupported', 'rate_unavailable', 'rate_stale', 'amount_out_of_range'],
  },
  'GET /translations': { operationId: 'getTranslation', isRestricted: true, errors: [] },
};

/** Errors that are the same for all operations, or for all operations of a kind. */
export const commonErrors = {
  all: [
    'invalid_request',
    'unauthenticated',
    'permission_denied',
    'account_disabled',
    'merchant_moved',
    'rate_limited',
    'headers_too_large',
    'internal_error',
    'merchant_paused',
    'unavailable',
  ],
  withBody: ['payload_too_large', 'unsupported_media_type', 'request_timeout'],
  /** Every POST accepts an Idempotency-Key. */
  post: ['idempotency_key_reused', 'idempotency_in_progress'],
  restricted: ['restricted_endpoint'],
} as const satisfies Record<string, readonly ErrorCode[]>;
