import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { acceptShortfall } from '../../../src/domain/money-in/transfer/review/accept-shortfall.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { chargeTransitions } from '../../../src/domain/payments/charge/charge-state.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge, seedUnmatchedTransfer } from '../../setup/transfers.ts';
import { listPairs, race, type Scene, timeout } from './race.ts';

/** A user accepts the shortfall of a charge while another user assigns a transfer to it. Both lock both. */

const inTime = minutesAfter(noon, 1);
const afterExpiry = minutesAfter(noon, 31);

type Name = 'accept the shortfall' | 'assign';
/** A charge that was paid in part, and the transfer that is assigned to it. */
type Subject = Charge & { transferId: string };

const createScene = (
  service: Service,
  merchant: NewMerchant,
  create: (charge: Charge) => Promise<string>,
): Scene<Subject, Name> => {
  const decision = {
    merchant: merchant.merchant,
    mode: 'live' as const,
    audit: { actor: 'user:usr_1', now: afterExpiry },
    now: afterExpiry,
  };
  return {
    errorCodes: ['charge_not_pending', 'transfer_already_allocated'],
    states: {
      charge_created: 'pending',
      CHARGE_COMPLETE: 'completed',
      charge_expired: 'expired',
    },
    transitions: chargeTransitions,
    readStatuses: (ids) => service.prisma.charge.findMany({ where: { id: { in: ids } } }),
    async create(total) {
      const subjects: Subject[] = [];
      for (let i = 0; i < total; i++) {
        const charge = await seedCharge(service, merchant, {
          input: { email: `c${randomUUID()}@example.com` },
        });
        subjects.push({ ...charge, transferId: await create(charge) });
      }
      return subjects;
    },
    operations: {
      async 'accept the shortfall'({ id }) {
        await acceptShortfall(service, { ...decision, id });
        return 'CHARGE_COMPLETE';
      },
      async assign({ id, transferId }) {
        const assignment = { transferId, parts: [{ chargeId: id }] };
        await assignTransfer(service, { ...decision, assignment });
        return undefined;
      },
    },
  };
};

const pairs = listPairs<Name>(['accept the shortfall', 'assign']);

describe('Open charge', () => {
  test.for(pairs)(
    'has a legal history after concurrent %s and %s of another transfer',
    { timeout },
    async (pair, { service, merchant }) => {
      const scene = createScene(service, merchant, async (charge) => {
        await payCharge(service, merchant, charge, { minor: 5_000n, now: inTime });
        const { id } = await seedUnmatchedTransfer(service, merchant, { charge, minor: 3_000n });
        return id;
      });
      await race(service, scene, pair);
    },
  );
});

describe('Expired charge', () => {
  test.for(pairs)(
    'has a legal history after concurrent %s and %s of the transfer that it released',
    { timeout },
    async (pair, { service, merchant }) => {
      const scene = createScene(service, merchant, async (charge) => {
        const { transferId } = await payCharge(service, merchant, charge, { minor: 5_000n, now: inTime });
        await expireCharges(service, { now: afterExpiry });
        return transferId!;
      });
      await race(service, scene, pair);
    },
  );
});
