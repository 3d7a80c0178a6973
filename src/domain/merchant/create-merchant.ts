import { randomBytes } from 'node:crypto';
import type { Merchant, Mode, RestrictedAccess } from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import { checkText } from '../../kit/text.ts';
import { methodCodes } from '../../method/catalogue.ts';
import { createApiKey, createPublishableKey } from '../api-key/create-api-key.ts';
import { permissions } from '../api-key/permissions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { makeKeyPair, saveCertificate } from '../certificate/create-certificate.ts';
import { createDemoAccounts } from '../receiving-account/insert-receiving-account.ts';
import type { Service } from '../service.ts';
import { createUser, hashPassword, makePassword } from '../user/create-user.ts';

export type ModeKeys = { apiKey: string; apiSecret: string; publishableKey: string };

/** Everything that is shown this once. */
export type NewMerchant = {
  merchant: Merchant;
  keys: Record<Mode, ModeKeys>;
  /** The certificate's public key, PEM. */
  certificate: string;
  email: string;
  password: string;
};

export type CreateMerchantInput = {
  name: string;
  email?: string | undefined;
  restricted?: RestrictedAccess | undefined;
  /** Also makes a fictional live receiving account for each method. */
  demoAccounts?: boolean | undefined;
};

/**
 * A merchant with keys of all permissions for both modes, a certificate, an owner for the dashboard, and the thirteen
 * built-in sandbox receiving accounts. Errors: `invalid_request`.
 */
export async function createMerchant(
  service: Service,
  options: { input: CreateMerchantInput; now: Date },
): Promise<NewMerchant> {
  const { input, now } = options;
  const id = newId('merchant', now);
  const email = input.email ?? `owner@${id.replace('_', '-')}.example`;
  const password = makePassword();
  const [passwordHash, keyPair] = await Promise.all([hashPassword(password), makeKeyPair()]);
  return transact(service, async (tx) => {
    const merchant = await tx.merchant.create({ data: merchantRow(service, { ...options, id }) });
    const made = { merchantId: id, actor: 'operator', now };
    await recordAudit(tx, { ...made, action: 'merchant.created', objectId: id });
    await createUser(tx, { ...made, email, role: 'owner', passwordHash });
    const certificate = await saveCertificate(service, tx, { merchantId: id, keyPair, now });
    const keys = {
      live: await createKeys(tx, { merchantId: id, mode: 'live', now }),
      sandbox: await createKeys(tx, { merchantId: id, mode: 'sandbox', now }),
    };
    const accounts = { merchantId: id, holder: merchant.name, methods: methodCodes, now };
    await createDemoAccounts(tx, { ...accounts, mode: 'sandbox' });
    if (input.demoAccounts) await createDemoAccounts(tx, { ...accounts, mode: 'live' });
    return { merchant, keys, certificate: certificate.publicKey, email, password };
  });
}

function merchantRow(service: Service, options: { id: string; input: CreateMerchantInput; now: Date }) {
  const { id, input, now } = options;
  return {
    id,
    name: checkText(input.name, '/name', 140),
    restrictedAccess: input.restricted ?? ('none' as const),
    demo: input.demoAccounts ?? false,
    hashKeySealed: service.secrets.seal(randomBytes(32).toString('base64url')),
    createdAt: now,
    updatedAt: now,
  };
}

async function createKeys(tx: Tx, options: { merchantId: string; mode: Mode; now: Date }): Promise<ModeKeys> {
  const { apiKey, secret } = await createApiKey(tx, { ...options, name: 'First key', permissions });
  const publishable = await createPublishableKey(tx, options);
  return { apiKey: apiKey.key, apiSecret: secret, publishableKey: publishable.key };
}
