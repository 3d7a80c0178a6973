import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Service } from '../../platform/service.ts';
import { insertApiKey, insertPublishableKey } from '../api-key/insert-api-key.ts';
import { permissions } from '../api-key/permissions.ts';
import { createKeyPairs, type KeyPair } from '../certificate/create-certificate.ts';
import { insertDefaultNotices } from '../notice/insert-default-notices.ts';
import { createUser, generatePassword, hashPassword } from '../user/create-user.ts';
import { insertMerchant, type MerchantInput } from './insert-merchant.ts';

export type ModeKeys = { apiKey: string; apiSecret: string; publishableKey: string };

/** A new merchant with its secrets, which are not shown again. */
export type NewMerchant = {
  merchant: Merchant;
  keys: Record<Mode, ModeKeys>;
  /** Public keys in PEM. */
  certificates: Record<Mode, string>;
  email: string;
  password: string;
};

export type CreateMerchantInput = MerchantInput & {
  /** The owner's email; defaults to a placeholder address. */
  email?: string | undefined;
};

/**
 * The secrets of a new merchant. They are slow to compute, so they are created before the transaction begins.
 */
export type MerchantSecrets = { password: string; passwordHash: string; keyPairs: Record<Mode, KeyPair> };

export async function createMerchantSecrets(): Promise<MerchantSecrets> {
  const password = generatePassword();
  const [passwordHash, keyPairs] = await Promise.all([hashPassword(password), createKeyPairs()]);
  return { password, passwordHash, keyPairs };
}

/**
 * Creates a merchant with an owner and a fictional sandbox receiving account for each payment method. Each mode gets a
 * certificate, a secret key with all permissions, and a publishable key.
 */
export async function createMerchant(
  service: Service,
  options: { input: CreateMerchantInput; secrets?: MerchantSecrets; now: Date },
): Promise<NewMerchant> {
  const { input, now } = options;
  const id = newId('merchant', now);
  const email = input.email ?? `owner@${id.replace('_', '-')}.example`;
  const { password, passwordHash, keyPairs } = options.secrets ?? (await createMerchantSecrets());
  return transact(service, async (uow) => {
    const fields = { merchantId: id, actor: 'operator', now };
    const merchant = await insertMerchant(uow, { ...fields, input, keyPairs });
    const user = await createUser(uow, { ...fields, email, role: 'owner', passwordHash });
    // The default address is a placeholder, which receives no email.
    if (input.email !== undefined) await insertDefaultNotices(uow, { user, now });
    const keys = {
      live: await insertFirstKeys(uow.tx, { merchantId: id, mode: 'live', now }),
      sandbox: await insertFirstKeys(uow.tx, { merchantId: id, mode: 'sandbox', now }),
    };
    const certificates = { live: keyPairs.live.publicKey, sandbox: keyPairs.sandbox.publicKey };
    return { merchant, keys, certificates, email, password };
  });
}

export async function insertFirstKeys(tx: Tx, options: MerchantScope & { now: Date }): Promise<ModeKeys> {
  const { apiKey, secret } = await insertApiKey(tx, { ...options, name: 'First key', permissions });
  const publishable = await insertPublishableKey(tx, options);
  return { apiKey: apiKey.key, apiSecret: secret, publishableKey: publishable.key };
}
