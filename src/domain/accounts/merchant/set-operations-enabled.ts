import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';

/**
 * Disables or enables operations of a merchant over all transports, as an operator. `allOperations` lists the names of
 * all operations.
 */
export async function setOperationsEnabled(
  db: Db,
  options: AuditContext & {
    merchantId: string;
    operations: readonly string[];
    isEnabled: boolean;
    allOperations: readonly string[];
  },
): Promise<Merchant> {
  const { merchantId, operations, isEnabled, allOperations, now } = options;
  const unknown = operations.find((operation) => !allOperations.includes(operation));
  if (unknown !== undefined)
    throw invalidInputError('/operations', `contains an unknown operation: ${unknown}`);
  if (operations.length === 0) throw invalidInputError('/operations', 'must contain at least one operation');
  return transact(db, async (uow) => {
    const disabledBefore = new Set((await lockMerchant(uow.tx, merchantId)).disabledOperations);
    const changed = [...new Set(operations)].filter(
      (operation) => disabledBefore.has(operation) === isEnabled,
    );
    const disabledOperations = isEnabled
      ? [...disabledBefore].filter((operation) => !changed.includes(operation))
      : [...disabledBefore, ...changed];
    const merchant = await uow.tx.merchant.update({
      where: { id: merchantId },
      data: { disabledOperations: disabledOperations.sort(), updatedAt: now },
    });
    if (changed.length > 0) {
      await recordAudit(uow, {
        ...options,
        action: isEnabled ? 'operations.enabled' : 'operations.disabled',
        objectId: merchantId,
        detail: { operations: changed },
      });
    }
    return merchant;
  });
}
