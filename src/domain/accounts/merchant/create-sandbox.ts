import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import type { Service } from '../../platform/service.ts';
import { createKeyPairs } from '../certificate/create-certificate.ts';
import { insertFirstKeys, type ModeKeys } from './create-merchant.ts';
import { insertMerchant } from './insert-merchant.ts';

/** The credentials of a new sandbox, which are not shown again. `certificate` is a public key in PEM. */
type NewSandbox = { merchant: Merchant; keys: ModeKeys; certificate: string };

/**
 * Creates a merchant that has only a sandbox: it has no live keys, and no users who could create some. Throws
 * `invalid_request` for the name.
 */
export async function createSandbox(
  service: Service,
  { name, now }: { name: string; now: Date },
): Promise<NewSandbox> {
  const keyPairs = await createKeyPairs();
  const merchantId = newId('merchant', now);
  return transact(service, async (uow) => {
    const input = { name, isSandboxOnly: true };
    const merchant = await insertMerchant(uow, { merchantId, actor: 'operator', now, input, keyPairs });
    const keys = await insertFirstKeys(uow.tx, { merchantId, mode: 'sandbox', now });
    return { merchant, keys, certificate: keyPairs.sandbox.publicKey };
  });
}
