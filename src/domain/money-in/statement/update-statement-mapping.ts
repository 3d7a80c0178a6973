import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { checkCsvMapping } from '../../../statement/csv-mapping.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { storeStatementMapping } from './statement-mapping.ts';

/**
 * Sets the CSV mapping for future files of an account; imported statements do not change. Errors:
 * `receiving_account_not_found`, `invalid_request`.
 */
export async function updateStatementMapping(
  db: Db,
  input: MerchantScope & Audited & { receivingAccountId: string; mapping: unknown; actor: string; now: Date },
): Promise<ReceivingAccount> {
  const mapping = checkCsvMapping(input.mapping);
  const { merchantId, mode, receivingAccountId: id, audit } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id });
  await transact(db, async (uow) => {
    await storeStatementMapping(uow.tx, { ...input, mapping });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'statement_mapping.updated',
        objectId: id,
      });
  });
  return account;
}
