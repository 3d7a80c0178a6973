import type { Merchant, RestrictedAccess } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { checkFilled } from '../../kit/text.ts';
import { newToken } from '../../kit/token.ts';
import { methodCodes } from '../../method/catalogue.ts';
import { type Deed, recordAudit } from '../audit/record-audit.ts';
import { type makeKeyPair, saveCertificate } from '../certificate/create-certificate.ts';
import { createDemoAccounts } from '../receiving-account/insert-receiving-account.ts';
import type { Service } from '../service.ts';

const nameMax = 140;

export type MerchantInput = {
  name: string;
  restricted?: RestrictedAccess | undefined;
  /** Also makes a fictional live receiving account for each method. */
  demoAccounts?: boolean | undefined;
};

/**
 * The row of a merchant with a certificate and the thirteen built-in sandbox receiving accounts; nobody belongs to it
 * yet. Error: `invalid_request`.
 */
export async function insertMerchant(
  service: Service,
  tx: Tx,
  options: Deed & {
    merchantId: string;
    input: MerchantInput;
    keyPair: Awaited<ReturnType<typeof makeKeyPair>>;
  },
): Promise<{ merchant: Merchant; certificate: string }> {
  const { merchantId: id, input, keyPair, actor, address, now } = options;
  const name = checkFilled(input.name, '/name', { max: nameMax, otherwise: 'must say what customers see' });
  const merchant = await tx.merchant.create({
    data: {
      id,
      name,
      restrictedAccess: input.restricted ?? 'none',
      demo: input.demoAccounts ?? false,
      hashKeySealed: service.secrets.seal(newToken()),
      createdAt: now,
      updatedAt: now,
    },
  });
  const entry = { merchantId: id, actor, address, objectId: id, detail: { name }, now };
  await recordAudit(tx, { ...entry, action: 'merchant.created' });
  const certificate = await saveCertificate(service, tx, { merchantId: id, keyPair, now });
  const accounts = { merchantId: id, holder: merchant.name, methods: methodCodes, now };
  await createDemoAccounts(tx, { ...accounts, mode: 'sandbox' });
  if (input.demoAccounts) await createDemoAccounts(tx, { ...accounts, mode: 'live' });
  return { merchant, certificate: certificate.publicKey };
}
