import type { Merchant } from '../../prisma/client/client.ts';
import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import { idPrefixes } from '../../src/kit/id.ts';
import { builder } from '../kit/builder.ts';
import { auditContext, owned } from '../kit/graphql-context.ts';
import { takesTime } from '../kit/operations-plugin.ts';

/** A clock belongs to a merchant: its id is the merchant's with another prefix. */
const clockId = (merchantId: string) =>
  merchantId.replace(`${idPrefixes.merchant}_`, `${idPrefixes.testClock}_`);

const TestClockType = builder.prismaNode('Merchant', {
  variant: 'TestClock',
  id: { resolve: (merchant) => clockId(merchant.id), extensions: {} },
  nullable: true,
  findUnique: (id, context) => {
    const { merchantId, mode } = owned(context);
    const isOwn = mode === 'sandbox' && id === clockId(merchantId);
    return { id: merchantId, AND: [{ id: isOwn ? merchantId : '' }] };
  },
  description: 'The time of your sandbox, which you can move forward.',
  fields: (t) => ({
    now: t.field({
      type: 'DateTime',
      description: 'The sandbox’s time; it runs on like any clock.',
      resolve: (merchant, _args, { clock }) => merchantNow(clock.now(), merchant, 'sandbox'),
    }),
    isAdvancing: t.boolean({
      description: 'Whether it is being moved, and what falls due on the way happens.',
      resolve: (merchant, _args, { clock }) =>
        merchant.testClockLeasedUntil !== null && merchant.testClockLeasedUntil > clock.now(),
    }),
    advancingTo: t.expose('testClockTarget', {
      type: 'DateTime',
      nullable: true,
      description: 'Where it is being moved to.',
    }),
  }),
});

builder.queryField('testClock', (t) =>
  t.prismaField({
    type: TestClockType,
    nullable: true,
    description: 'The clock of your sandbox; null in live mode.',
    resolve: (query, _root, _args, context) => {
      const { merchantId, mode } = owned(context);
      if (mode !== 'sandbox') return null;
      return context.service.prisma.merchant.findUnique({ ...query, where: { id: merchantId } });
    },
  }),
);

const AdvanceTestClockInput = builder.inputType('AdvanceTestClockInput', {
  description: 'To when the sandbox’s time is moved.',
  fields: (t) => ({
    to: t.field({
      type: 'DateTime',
      required: true,
      description: 'After the clock’s present time, at most 10 years.',
    }),
  }),
});

const AdvanceTestClockSuccess = builder
  .objectRef<{ testClock: Merchant }>('AdvanceTestClockSuccess')
  .implement({
    description: 'The clock was moved, and all that fell due on the way has happened.',
    fields: (t) => ({
      testClock: t.expose('testClock', { type: TestClockType, description: 'The clock.' }),
    }),
  });

builder.mutationField('advanceTestClock', (t) =>
  t.field({
    ...takesTime,
    type: AdvanceTestClockSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Moves the sandbox’s time forward. All that falls due on the way (expiry, invoices, pauses) happens in order before this answers. Permission: `manage`.',
    args: { input: t.arg({ type: AdvanceTestClockInput, required: true, description: 'To when.' }) },
    resolve: async (_root, { input }, context) => {
      const { service, clock } = context;
      const options = { ...owned(context), to: input.to, clock, audit: auditContext(context) };
      return { testClock: await advanceTestClock(service, options) };
    },
  }),
);
