import { beforeAll, test } from 'vitest';
import type { Charge, Subscription } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { payInvoice } from '../../../src/domain/billing/invoice/pay-invoice.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../../src/domain/billing/subscription/change-subscription-method.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { subscriptionTransitions } from '../../../src/domain/billing/subscription/subscription-state.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { day, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { copySubscription, seedActiveSubscription, seedPlan } from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';
import { pairsOf, race, type Scene, timeout } from './race.ts';

const onCleanup = cleanupAfterFile();

/** All that may come to a subscription at one time, each with each other. */

const started = day('2026-01-15');
const asked = day('2026-02-14');
const overdue = day('2026-02-16');

let service: Service;
let merchant: NewMerchant;
let first: Subscription;
/** Of plans of which this payment is the last, and of which it is not. */
let planIds: string[];
let customers = 0;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service, {}, started);
  const plan = await seedPlan(service, merchant, { now: started });
  const last = await seedPlan(service, merchant, { input: { numPayments: 1 }, now: started });
  planIds = [last.id, plan.id];
  first = await seedActiveSubscription(service, merchant, { plan, now: started });
});

const owner = { mode: 'live' as const, actor: 'customer', now: asked };
type Asked = Subscription & { charge: Charge };

const scene: Scene<Asked> = {
  refusals: ['subscription_ended', 'invoice_not_open', 'charge_not_pending'],
  states: {
    subscription_created: 'inactive',
    subscription_paid: 'active',
    subscription_paused: 'inactive',
    subscription_completed: 'completed',
    subscription_cancelled: 'cancelled',
  },
  transitions: subscriptionTransitions,
  statusOf: (ids) => service.prisma.subscription.findMany({ where: { id: { in: ids } } }),
  /** Active since 15 January, with an open invoice. */
  async make(many) {
    const changes = Array.from({ length: many }, (_, i) => ({
      email: `s${++customers}@example.com`,
      planId: planIds[i % 2]!,
    }));
    const made = await copySubscription(service, first, changes);
    await renewSubscriptions(service, { now: day('2026-02-13') });
    const charges = await service.prisma.charge.findMany({
      where: { subscriptionId: { in: made.map(({ id }) => id) } },
    });
    const chargeOf = ({ id }: Subscription) => charges.find(({ subscriptionId }) => subscriptionId === id)!;
    return made.map((subscription) => ({ ...subscription, charge: chargeOf(subscription) }));
  },
  operations: {
    async pay({ charge }) {
      await payCharge(service, merchant, charge, { now: asked });
      return undefined;
    },
    async cancel({ id, merchantId }) {
      await cancelSubscription(service, { ...owner, id, merchantId });
      return 'subscription_cancelled';
    },
    async pause() {
      // Of all that is overdue, but what another holds.
      await renewSubscriptions(service, { now: overdue });
      return undefined;
    },
    async 'ask by another method'({ id, merchantId }) {
      await paySubscription(service, { ...owner, id, merchantId, method: 'hk-bank-transfer' });
      return undefined;
    },
    async 'change the method'({ id, merchantId }) {
      await changeSubscriptionMethod(service, { ...owner, id, merchantId, method: 'hk-bank-transfer' });
      return undefined;
    },
    async 'open the invoice'({ charge, merchantId }) {
      await payInvoice(service, { ...owner, id: charge.invoiceId!, merchantId, method: 'fps' });
      return undefined;
    },
    async 'cancel its charge'({ charge: { id, merchantId } }) {
      await cancelCharge(service, { ...owner, id, merchantId, by: 'merchant' });
      return undefined;
    },
    async 'expire its charge'() {
      await expireCharges(service, { now: overdue });
      return undefined;
    },
  },
};

test.each(pairsOf(scene.operations))(
  'an asked subscription, two things at once: %s and %s',
  { timeout },
  (one, other) => race(service, scene, [one, other]),
);

test('nothing above has broken a promise of the database', () => expectInvariants(service));
