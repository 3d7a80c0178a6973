import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge, CheckoutSession, Mode } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { extendCharge } from '../../../src/domain/money-in/transfer/review/extend-charge.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { chargeTransitions } from '../../../src/domain/payments/charge/charge-state.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { cancelSession } from '../../../src/domain/payments/session/cancel-session.ts';
import { chargeSession } from '../../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../../src/domain/payments/session/claim-session.ts';
import { expireSessions } from '../../../src/domain/payments/session/expire-sessions.ts';
import { sessionTransitions } from '../../../src/domain/payments/session/session-state.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { seedSession } from '../../setup/checkout.ts';
import { copyObject } from '../../setup/copy-rows.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge, recordOne, transferInput } from '../../setup/transfers.ts';
import { listPairs, race, type Scene, timeout } from './race.ts';

/** Each pair of operations on a charge or a session runs concurrently. */

const inTime = minutesAfter(noon, 1);
const afterExpiry = minutesAfter(noon, 31);

const liveOperations = [
  'cancel',
  'cancel by the customer',
  'expire',
  'refund',
  'pay',
  'pay in part',
  'assign',
  'extend',
] as const;
const sandboxOperations = [
  'cancel',
  'cancel by the customer',
  'expire',
  'refund',
  'complete',
  'pay',
] as const;
const sessionOperations = ['claim', 'take over', 'charge', 'cancel', 'expire'] as const;

const owner = (merchant: NewMerchant, mode: Mode) => ({
  merchantId: merchant.merchant.id,
  mode,
  actor: 'user:usr_1',
  now: inTime,
});
const seedCharges = (service: Service, merchant: NewMerchant, mode: Mode, total: number) =>
  Promise.all(
    Array.from({ length: total }, () =>
      seedCharge(service, merchant, { mode, input: { email: `c${randomUUID()}@example.com` } }),
    ),
  );

const createChargeScene = (service: Service) => ({
  errorCodes: [
    'charge_not_pending',
    'charge_not_completed',
    'amount_exceeds_refundable',
    'transfer_already_allocated',
  ],
  states: {
    charge_created: 'pending',
    CHARGE_COMPLETE: 'completed',
    charge_expired: 'expired',
    charge_cancelled: 'cancelled',
    charge_extended: 'pending',
  },
  transitions: chargeTransitions,
  readStatuses: (ids: string[]) => service.prisma.charge.findMany({ where: { id: { in: ids } } }),
});

const createEndingOperations = (
  service: Service,
  merchant: NewMerchant,
  mode: Mode,
): Scene<Charge, 'cancel' | 'cancel by the customer' | 'expire' | 'refund'>['operations'] => ({
  async cancel({ id }) {
    await cancelCharge(service, { ...owner(merchant, mode), id, by: 'merchant' });
    return 'charge_cancelled';
  },
  async 'cancel by the customer'({ id }) {
    await cancelCharge(service, { ...owner(merchant, mode), id, by: 'customer' });
    return 'charge_cancelled';
  },
  async expire() {
    // The job skips locked charges and expires all that are due.
    await expireCharges(service, { now: afterExpiry });
    return undefined;
  },
  async refund({ id }) {
    await createRefund(service, { ...owner(merchant, mode), input: { chargeId: id, customerAmount: 100 } });
    return undefined;
  },
});

const pay = async (service: Service, merchant: NewMerchant, charge: Charge, minor: bigint) => {
  const { status } = await payCharge(service, merchant, charge, { minor, now: inTime });
  return status === 'matched' || status === 'over' ? 'CHARGE_COMPLETE' : undefined;
};

const createLiveChargeScene = (
  service: Service,
  merchant: NewMerchant,
): Scene<Charge & { exceptionId: string }, (typeof liveOperations)[number]> => ({
  ...createChargeScene(service),
  async create(total, pair) {
    const charges = await seedCharges(service, merchant, 'live', total);
    // Only a partly paid charge can be extended.
    if (pair.includes('extend'))
      await Promise.all(charges.map((charge) => pay(service, merchant, charge, 5_000n)));
    if (!pair.includes('assign')) return charges.map((charge) => ({ ...charge, exceptionId: '' }));
    return Promise.all(
      charges.map(async (charge) => {
        const money = { minor: charge.customerAmount, currency: charge.customerCurrency };
        const input = transferInput({ source: 'feed', money, reference: `hello ${randomUUID()}` });
        const { receivingAccountId } = charge;
        const { transferId } = await recordOne(service, merchant, { receivingAccountId, input });
        return { ...charge, exceptionId: transferId };
      }),
    );
  },
  operations: {
    ...createEndingOperations(service, merchant, 'live'),
    pay: (charge) => pay(service, merchant, charge, charge.customerAmount),
    'pay in part': async (charge) => {
      await pay(service, merchant, charge, 5_000n);
      return undefined;
    },
    async assign({ id, exceptionId }) {
      const assignment = { transferId: exceptionId, parts: [{ chargeId: id }] };
      const audit = { actor: 'user:usr_1', now: inTime };
      await assignTransfer(service, {
        merchant: merchant.merchant,
        mode: 'live',
        assignment,
        audit,
        now: inTime,
      });
      return undefined;
    },
    async extend({ id }) {
      const audit = { actor: 'user:usr_1', now: inTime };
      await extendCharge(service, {
        ...{ merchant: merchant.merchant, mode: 'live', id, days: 1 },
        audit,
        now: inTime,
      });
      return undefined;
    },
  },
});

const createSandboxChargeScene = (
  service: Service,
  merchant: NewMerchant,
): Scene<Charge, (typeof sandboxOperations)[number]> => ({
  ...createChargeScene(service),
  create: (total) => seedCharges(service, merchant, 'sandbox', total),
  operations: {
    ...createEndingOperations(service, merchant, 'sandbox'),
    async complete({ id }) {
      await completeSandboxCharge(service, { ...owner(merchant, 'sandbox'), id });
      return 'CHARGE_COMPLETE';
    },
    pay: (charge) => pay(service, merchant, charge, charge.customerAmount),
  },
});

const toCheckout = (merchant: NewMerchant) => ({
  merchant: merchant.merchant,
  method: 'fps' as const,
  customer: { email: `s${randomUUID()}@example.com` },
});
const claim = (service: Service, id: string, browserToken: string, takeOver: boolean) =>
  claimSession(service, { id, browserToken, canTakeOver: takeOver, now: inTime });

const createClaimedSessionScene = (
  service: Service,
  merchant: NewMerchant,
): Scene<CheckoutSession, (typeof sessionOperations)[number]> => {
  let claimed: CheckoutSession | undefined;
  return {
    errorCodes: ['session_not_claimed', 'session_expired', 'session_cancelled', 'session_already_used'],
    states: {
      session_created: 'created',
      session_initiated: 'initiated',
      session_charged: 'charged',
      session_cancelled: 'cancelled',
      session_expired: 'expired',
    },
    transitions: sessionTransitions,
    readStatuses: (ids) => service.prisma.checkoutSession.findMany({ where: { id: { in: ids } } }),
    async create(total) {
      // The expiry job may have changed the first session.
      const where = { id: claimed?.id ?? '', version: claimed?.version ?? 0 };
      if (!claimed || (await service.prisma.checkoutSession.count({ where })) === 0) {
        const { id } = await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
        claimed = (await claim(service, id, 'browser', false)).session;
      }
      const ids = await copyObject(service, 'checkout_session', claimed, Array(total).fill({}));
      return service.prisma.checkoutSession.findMany({ where: { id: { in: ids } } });
    },
    operations: {
      async claim({ id }) {
        await claim(service, id, 'browser', false);
        return undefined;
      },
      async 'take over'({ id }) {
        await claim(service, id, 'another', true);
        return undefined;
      },
      async charge(session) {
        const { sessionId } = await chargeSession(service, {
          ...toCheckout(merchant),
          session,
          browserToken: 'browser',
          now: inTime,
        });
        expect(sessionId).toBe(session.id);
        return undefined;
      },
      async cancel({ id }) {
        await cancelSession(service, { ...owner(merchant, 'live'), id });
        return 'session_cancelled';
      },
      async expire() {
        await expireSessions(service, { now: minutesAfter(noon, 62) });
        return undefined;
      },
    },
  };
};

describe('Live charge', () => {
  test.for(listPairs(liveOperations))(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, createLiveChargeScene(service, merchant), pair);
    },
  );
});

describe('Sandbox charge', () => {
  test.for(listPairs(sandboxOperations))(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, createSandboxChargeScene(service, merchant), pair);
    },
  );
});

describe('Claimed session', () => {
  test.for(listPairs(sessionOperations))(
    'has a legal history after concurrent %s and %s',
    { timeout },
    async (pair, { service, merchant }) => {
      await race(service, createClaimedSessionScene(service, merchant), pair);
    },
  );
});
