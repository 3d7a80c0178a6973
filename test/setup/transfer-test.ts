import type { Charge, Transfer } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { TransferInput } from '../../src/domain/money-in/transfer/record/draft-transfer.ts';
import type { TransferResult } from '../../src/domain/money-in/transfer/record/record-credits.ts';
import {
  type Assignment,
  assignTransfer,
} from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { returnTransfer } from '../../src/domain/money-in/transfer/review/return-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { getEventTypes } from './database-state.ts';
import { serviceTest } from './fixtures.ts';
import { expectInvariants } from './invariants.ts';
import { minutesAfter, noon, seedCharge } from './seed.ts';
import { recordOne, reverseOne, seedUnmatchedTransfer, transferInput } from './transfers.ts';

/** The time at which users decide about transfers, and banks reverse them. */
export const later = minutesAfter(noon, 90);

/** The live charges and transfers of a new merchant. All invariants are checked after the test. */
export const transferTest = serviceTest.extend('transfers', ({ service, merchant }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return createTransferActions(service, merchant);
});

export type TransferActions = ReturnType<typeof createTransferActions>;

type Changes = Partial<TransferInput> & { minor?: bigint; now?: Date };

function createTransferActions(service: Service, newMerchant: NewMerchant) {
  const { merchant } = newMerchant;
  const owner = { merchantId: merchant.id, mode: 'live' as const };
  const decision = { ...owner, merchant, audit: { actor: 'user:usr_1', now: later }, now: later };
  let payerCount = 0;

  const toRecording = (charge: Charge, { minor = charge.customerAmount, now, ...changes }: Changes) => ({
    receivingAccountId: charge.receivingAccountId,
    input: transferInput({
      money: { minor, currency: 'HKD' },
      reference: charge.paymentReference,
      ...changes,
    }),
    ...(now && { now }),
  });

  return {
    owner,
    /** The arguments of a user's decision besides its input. */
    decision,
    /** Creates a charge of HKD 128.50 for a new customer. */
    newCharge(now = noon): Promise<Charge> {
      return seedCharge(service, newMerchant, { now, input: { email: `payer${++payerCount}@example.com` } });
    },
    reload: ({ id }: Charge): Promise<Charge> => service.prisma.charge.findUniqueOrThrow({ where: { id } }),
    reloadTransfer: (id: string): Promise<Transfer> =>
      service.prisma.transfer.findUniqueOrThrow({ where: { id } }),
    getEventTypes: (objectId: string): Promise<string[]> => getEventTypes(service, { objectId }),
    /** Records a credit for the charge: the whole amount with its payment reference by default. */
    record: (charge: Charge, changes: Changes = {}): Promise<TransferResult> =>
      recordOne(service, newMerchant, toRecording(charge, changes)),
    /** Records a transfer without a payment reference. */
    seedUnmatched: (charge: Charge, minor: bigint): Promise<Transfer> =>
      seedUnmatchedTransfer(service, newMerchant, { charge, minor }),
    /** Records the reversal of a credit. */
    reverse: (charge: Charge, changes: Changes = {}): Promise<TransferResult> =>
      reverseOne(service, newMerchant, toRecording(charge, { now: later, ...changes })),
    assign: (transferId: string, ...parts: Assignment['parts'][number][]) =>
      assignTransfer(service, { ...decision, assignment: { transferId, parts } }),
    unassign: (transferId: string, chargeId?: string) =>
      unassignTransfer(service, { ...decision, input: { transferId, ...(chargeId && { chargeId }) } }),
    returnToPayer: (transferId: string, changes: { amount?: string | number; note?: string } = {}) =>
      returnTransfer(service, { ...decision, input: { transferId, ...changes } }),
  };
}
