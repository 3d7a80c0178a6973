import type { Mutant } from './mutant.ts';

export const refunds: Mutant[] = [
  {
    promise: 'Refunds never exceed what was received',
    file: 'src/domain/payments/refund/create-refund.ts',
    find: 'if (minor > refundableAmount)',
    replace: 'if (minor > refundableAmount + 1n)',
    tests: ['test/rest/refunds.test.ts'],
  },
  {
    promise: 'Refunds that are still open count against the charge',
    file: 'src/domain/payments/refund/refund-state.ts',
    find: "refund.status !== 'cancelled'",
    replace: "refund.status === 'completed'",
    tests: ['test/rest/refunds.test.ts'],
  },
  {
    promise: 'A refund being processed cannot be withdrawn',
    file: 'src/domain/payments/refund/refund-state.ts',
    find: "processing: ['completed', 'initiated']",
    replace: "processing: ['completed', 'initiated', 'cancelled']",
    tests: ['test/domain/refund/refunds.test.ts'],
  },
  {
    promise: 'A completed refund is final',
    file: 'src/domain/payments/refund/refund-state.ts',
    find: 'completed: []',
    replace: "completed: ['initiated']",
    tests: ['test/domain/payout/payouts.test.ts'],
  },
  {
    promise: 'A live refund is not completed before its details are there',
    file: 'src/domain/payments/refund/refund-state.ts',
    find: "mode === 'sandbox' && from",
    replace: 'mode !== null && from',
    tests: ['test/domain/refund/refunds.test.ts'],
  },
  {
    promise: 'A sandbox refund is completed by hand',
    file: 'src/domain/payments/refund/refund-state.ts',
    find: "if (mode === 'sandbox'",
    replace: "if (mode === 'live'",
    tests: ['test/pages/pay.test.ts'],
  },
  {
    promise: 'The link of a refund ends when its payout is returned',
    file: 'src/domain/payments/refund/reopen-refund.ts',
    find: 'refund.linkVersion + 1',
    replace: 'refund.linkVersion',
    tests: ['test/pages/pay.test.ts'],
  },
  {
    promise: 'detailsUrl is shown only while a refund is initiated',
    file: 'src/domain/payments/refund/details-url.ts',
    find: "refund.status !== 'initiated'",
    replace: "refund.status === 'cancelled'",
    tests: ['test/schema/refunds.test.ts'],
  },
  {
    promise: 'detailsUrl is shown only to who may refund',
    file: 'src/domain/payments/refund/details-url.ts',
    find: "permissions.has('refund') &&",
    replace: "permissions.has('read') &&",
    tests: ['test/schema/refunds.test.ts'],
  },
  {
    promise: 'Refunds in whole units where nobody pays fractions',
    file: 'src/domain/payments/refund/create-refund.ts',
    find: 'if (!isPayable(money, method))',
    replace: 'if (!isPayable(money, method) && money.minor < 0n)',
    tests: ['test/rest/refunds.test.ts'],
  },
];
