import type { Merchant, Mode, RestrictedAccess } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newToken } from '../../../kit/token.ts';
import { methodCodes } from '../../../method/catalog.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { insertCertificate, type KeyPair } from '../certificate/create-certificate.ts';
import { insertDemoAccounts } from '../receiving-account/insert-receiving-account.ts';
import { checkMerchantName } from './check-merchant-name.ts';

export type MerchantInput = {
  name: string;
  restrictedAccess?: RestrictedAccess | undefined;
  /** Also creates a fictional live receiving account for each method. */
  hasDemoAccounts?: boolean | undefined;
  isSandboxOnly?: boolean | undefined;
};

/**
 * Inserts a merchant with a certificate for each mode and a fictional sandbox receiving account for each payment
 * method, but without users.
 */
export async function insertMerchant(
  uow: UnitOfWork<Service>,
  options: AuditContext & {
    merchantId: string;
    input: MerchantInput;
    keyPairs: Record<Mode, KeyPair>;
  },
): Promise<Merchant> {
  const { tx } = uow;
  const { merchantId: id, input, keyPairs, actor, ipAddress, now } = options;
  const name = checkMerchantName(input.name);
  const merchant = await tx.merchant.create({
    data: {
      id,
      name,
      restrictedAccess: input.restrictedAccess ?? 'none',
      demo: input.hasDemoAccounts ?? false,
      sandboxOnly: input.isSandboxOnly ?? false,
      hashKeyEncrypted: uow.secrets.encrypt(newToken(), 'merchant.hash_key_encrypted', id),
      createdAt: now,
      updatedAt: now,
    },
  });
  const entry = { merchantId: id, actor, ipAddress, objectId: id, detail: { name }, now };
  await recordAudit(uow, { ...entry, action: 'merchant.created' });
  for (const mode of ['live', 'sandbox'] as const)
    await insertCertificate(uow, tx, { merchantId: id, mode, keyPair: keyPairs[mode], now });
  const accounts = { merchantId: id, holder: merchant.name, methods: methodCodes, now };
  await insertDemoAccounts(tx, { ...accounts, mode: 'sandbox' });
  if (input.hasDemoAccounts) await insertDemoAccounts(tx, { ...accounts, mode: 'live' });
  return merchant;
}
