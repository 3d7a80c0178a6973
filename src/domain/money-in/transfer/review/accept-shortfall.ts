import type { Charge, Merchant, Mode } from '../../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import { toDecimal } from '../../../../kit/money.ts';
import { getUnallocatedAmount, lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { keepAsException } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { lockCharge } from '../../../payments/charge/lock-charge.ts';
import { chargeNotPendingError } from '../../../payments/charge/update-charges.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { completeCharges } from '../complete-charges.ts';
import { getSettledStatus } from '../net-allocations.ts';
import { findReleasedParts, reassignReleased } from './reassign-released-parts.ts';

type AcceptShortfallOptions = {
  merchant: Merchant;
  mode: Mode;
  id: string;
  audit: AuditContext;
  now: MerchantTime;
};

/**
 * Completes a partly paid charge with the amount it has received, also from a user who assigned a part payment after
 * the charge had ended. A charge that ended first gets back the part payments that it released and that are still
 * unallocated. All its part payments are then matched. Throws `charge_not_found`, `charge_not_pending` if the charge is
 * completed, or `invalid_request` if it has no part payments.
 */
export async function acceptShortfall(service: Service, options: AcceptShortfallOptions): Promise<Charge> {
  const { merchant, mode, id, audit } = options;
  const scope = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const charge = await lockCharge(uow.tx, { ...scope, id });
    if (charge.status === 'completed') throw chargeNotPendingError(charge);
    const parts = await findReleasedParts(uow, charge);
    const paidCharge = await reassignReleased(uow, { charge, parts }, options);
    if (paidCharge.amountReceived <= 0n) throw invalidInputError('/id', 'must be a partly paid charge');
    const completed = await completePartlyPaid(uow, paidCharge, options);
    const { customerCurrency: currency, amountReceived: minor } = completed;
    const detail = { amount: toDecimal({ minor, currency }), currency };
    await recordAudit(uow, {
      ...scope,
      ...audit,
      action: 'charge.shortfall_accepted',
      objectId: id,
      detail,
    });
    return completed;
  });
}

/** The allocation that records the decision moves no money. */
async function completePartlyPaid(
  uow: UnitOfWork<Service>,
  charge: Charge,
  { audit, now }: AcceptShortfallOptions,
): Promise<Charge> {
  const change = { actor: audit.actor, now };
  const sums = await uow.tx.allocation.groupBy({
    by: ['transferId'],
    where: { chargeId: charge.id },
    having: { amount: { _sum: { gt: 0n } } },
  });
  const transferIds = sums.map(({ transferId }) => transferId);
  const transfers = await lockTransfers(uow.tx, transferIds);
  const isShort = charge.status !== 'completed';
  const completions = [{ charge, completedBy: 'transfer' as const }];
  const [completed = charge] = isShort
    ? await completeCharges(uow, completions, { ...change, systemNow: audit.now })
    : [];
  for (const transfer of transfers) {
    const isSettled = getUnallocatedAmount(transfer) === 0n;
    await transitionTransfer(uow, transfer, {
      ...change,
      ...(isSettled ? { to: await getSettledStatus(uow.tx, transfer) } : keepAsException(transfer)),
      allocations: isShort ? [{ chargeId: charge.id, amount: 0n, reason: 'shortfall_accepted' }] : [],
    });
  }
  return completed;
}
