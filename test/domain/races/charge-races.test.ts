import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, CheckoutSession, Mode } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { completeSandboxCharge } from '../../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
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
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { copyObject } from '../../setup/copy-rows.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { payCharge, recordOne, transferInput } from '../../setup/transfers.ts';
import { pairsOf, race, type Scene, timeout } from './race.ts';

const onCleanup = cleanupAfterFile();

/** All that may come to a charge or a session at one time, each with each other. */

const inTime = minutesAfter(noon, 1);
const over = minutesAfter(noon, 31);

let service: Service;
let merchant: NewMerchant;
let made = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const owner = (mode: Mode) => ({ merchantId: merchant.merchant.id, mode, actor: 'user:usr_1', now: inTime });
const makeCharges = (mode: Mode, many: number) =>
  Promise.all(
    Array.from({ length: many }, () =>
      seedCharge(service, merchant, { mode, input: { email: `c${++made}@example.com` } }),
    ),
  );

const chargeScene = {
  refusals: [
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
  },
  transitions: chargeTransitions,
  statusOf: (ids: string[]) => service.prisma.charge.findMany({ where: { id: { in: ids } } }),
};

const endings = (mode: Mode): Scene<Charge>['operations'] => ({
  async cancel({ id }) {
    await cancelCharge(service, { ...owner(mode), id, by: 'merchant' });
    return 'charge_cancelled';
  },
  async 'cancel by the customer'({ id }) {
    await cancelCharge(service, { ...owner(mode), id, by: 'customer' });
    return 'charge_cancelled';
  },
  async expire() {
    // A sweep passes over what another holds, and takes all that is due.
    await expireCharges(service, { now: over });
    return undefined;
  },
  async refund({ id }) {
    await createRefund(service, { ...owner(mode), input: { chargeId: id, customerAmount: 100 } });
    return undefined;
  },
});

const pay = async (charge: Charge, minor: bigint) => {
  const { status } = await payCharge(service, merchant, charge, { minor, now: inTime });
  return status === 'matched' || status === 'over' ? 'CHARGE_COMPLETE' : undefined;
};

const live: Scene<Charge & { exceptionId: string }> = {
  ...chargeScene,
  async make(many, pair) {
    const charges = await makeCharges('live', many);
    if (!pair.includes('assign')) return charges.map((charge) => ({ ...charge, exceptionId: '' }));
    return Promise.all(
      charges.map(async (charge) => {
        const money = { minor: charge.customerAmount, currency: charge.customerCurrency };
        const input = transferInput({ source: 'feed', money, reference: `hello ${++made}` });
        const { receivingAccountId } = charge;
        const { transferId } = await recordOne(service, merchant, { receivingAccountId, input });
        return { ...charge, exceptionId: transferId };
      }),
    );
  },
  operations: {
    ...endings('live'),
    pay: (charge) => pay(charge, charge.customerAmount),
    'pay in part': async (charge) => {
      await pay(charge, 5_000n);
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
  },
};

const sandbox: Scene<Charge> = {
  ...chargeScene,
  make: (many) => makeCharges('sandbox', many),
  operations: {
    ...endings('sandbox'),
    async complete({ id }) {
      await completeSandboxCharge(service, { ...owner('sandbox'), id });
      return 'CHARGE_COMPLETE';
    },
    pay: (charge) => pay(charge, charge.customerAmount),
  },
};

const chosen = () => ({
  merchant: merchant.merchant,
  method: 'fps' as const,
  customer: { email: `s${++made}@example.com` },
});
const claim = (id: string, browserToken: string, takeOver: boolean) =>
  claimSession(service, { id, browserToken, takeOver, now: inTime });

let claimed: CheckoutSession | undefined;

const session: Scene<CheckoutSession> = {
  refusals: ['session_not_claimed', 'session_expired', 'session_cancelled', 'session_already_used'],
  states: {
    session_created: 'created',
    session_initiated: 'initiated',
    session_charged: 'charged',
    session_cancelled: 'cancelled',
    session_expired: 'expired',
  },
  transitions: sessionTransitions,
  statusOf: (ids) => service.prisma.checkoutSession.findMany({ where: { id: { in: ids } } }),
  async make(many) {
    // A sweep takes the first one too.
    const where = { id: claimed?.id ?? '', version: claimed?.version ?? 0 };
    if (!claimed || (await service.prisma.checkoutSession.count({ where })) === 0) {
      const { id } = await seedSession(service, merchant, { input: { currency: 'HKD' }, now: noon });
      claimed = (await claim(id, 'browser', false)).session;
    }
    const ids = await copyObject(service, 'checkout_session', claimed, Array(many).fill({}));
    return service.prisma.checkoutSession.findMany({ where: { id: { in: ids } } });
  },
  operations: {
    async claim({ id }) {
      await claim(id, 'browser', false);
      return undefined;
    },
    async 'take over'({ id }) {
      await claim(id, 'another', true);
      return undefined;
    },
    async charge(session) {
      const { sessionId } = await chargeSession(service, {
        ...chosen(),
        session,
        browserToken: 'browser',
        now: inTime,
      });
      expect(sessionId).toBe(session.id);
      return undefined;
    },
    async cancel({ id }) {
      await cancelSession(service, { ...owner('live'), id });
      return 'session_cancelled';
    },
    async expire() {
      await expireSessions(service, { now: minutesAfter(noon, 62) });
      return undefined;
    },
  },
};

function raceAll<Subject extends { id: string }>(what: string, scene: Scene<Subject>): void {
  describe(`${what}, two things at once`, () => {
    test.each(pairsOf(scene.operations))('%s and %s', { timeout }, (one, other) =>
      race(service, scene, [one, other]),
    );
  });
}

raceAll('a live charge', live);
raceAll('a sandbox charge', sandbox);
raceAll('a claimed session', session);

test('nothing above has broken a promise of the database', () => expectInvariants(service));
