import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import { idPrefixes } from '../../src/kit/id.ts';
import { isLeaseActive } from '../../src/kit/lease.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope, toAuditContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';

/** Returns the ID of a merchant's clock. It is the merchant's ID with another prefix, because clocks have no table. */
const toClockId = (merchantId: string) =>
  merchantId.replace(`${idPrefixes.merchant}_`, `${idPrefixes.testClock}_`);

const TestClockType = builder.prismaNode('Merchant', {
  variant: 'TestClock',
  id: { resolve: (merchant) => toClockId(merchant.id), extensions: {} },
  nullable: true,
  findUnique: (id, context) => {
    const { merchantId, mode } = getMerchantScope(context);
    const isOwnClock = mode === 'sandbox' && id === toClockId(merchantId);
    return { id: merchantId, AND: [{ id: isOwnClock ? merchantId : '' }] };
  },
  description: 'The clock of your sandbox, which you can advance.',
  fields: (t) => ({
    now: t.field({
      type: 'DateTime',
      description: 'The current time of the sandbox. Between advances, the clock runs at normal speed.',
      resolve: (merchant, _args, { clock }) => merchantNow(clock.now(), merchant, 'sandbox'),
    }),
    isAdvancing: t.boolean({
      description: 'Whether the clock is being advanced and everything that becomes due is being processed.',
      resolve: (merchant, _args, { clock }) => isLeaseActive(merchant.testClockLeasedUntil, clock.now()),
    }),
    advancingTo: t.expose('testClockTarget', {
      type: 'DateTime',
      nullable: true,
      description: 'The time to which the clock is being advanced. Null if it is not being advanced.',
    }),
  }),
});

builder.queryField('testClock', (t) =>
  t.prismaField({
    type: TestClockType,
    nullable: true,
    description: 'Returns the test clock of your sandbox. Null in live mode.',
    resolve: (query, _root, _args, context) => {
      const { merchantId, mode } = getMerchantScope(context);
      if (mode !== 'sandbox') return null;
      return context.service.prisma.merchant.findUnique({ ...query, where: { id: merchantId } });
    },
  }),
);

const AdvanceTestClockInput = builder.inputType('AdvanceTestClockInput', {
  description: 'The time to which the test clock of the sandbox is advanced.',
  fields: (t) => ({
    advanceTo: t.field({
      type: 'DateTime',
      required: true,
      description:
        'The time to advance to. It must be after the current time of the clock, at most 10 years ahead, and not after 2100-01-01.',
    }),
  }),
});

const AdvanceTestClockSuccess = successType('AdvanceTestClockSuccess', {
  description: 'The result of advancing the test clock. Everything that became due has been processed.',
  fields: { testClock: { type: TestClockType, description: 'The test clock, which shows the new time.' } },
});

builder.mutationField('advanceTestClock', (t) =>
  t.field({
    type: AdvanceTestClockSuccess,
    errors: {},
    twoFactor: 'never',
    isLongRunning: true,
    ignoresIdempotencyKey: true,
    authScopes: { permission: 'manage' },
    description:
      'Advances the clock of the sandbox. Everything that becomes due (expiry, invoices, pauses) is processed in order before the response is sent. The mutation fails with `test_clock_running` if the clock is already being advanced, or with `sandbox_only` in live mode. Requires the permission `manage`.',
    args: {
      input: t.arg({ type: AdvanceTestClockInput, required: true, description: 'The time to advance to.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { service, clock } = context;
      const options = { ...getMerchantScope(context), ...input, clock, audit: toAuditContext(context) };
      return { testClock: await advanceTestClock(service, options) };
    },
  }),
);
