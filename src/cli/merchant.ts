import type { RestrictedAccess } from '../../prisma/client/client.ts';
import { createMerchant, type NewMerchant } from '../domain/merchant/create-merchant.ts';
import { grantRestrictedAccess } from '../domain/merchant/grant-restricted-access.ts';
import { type ServiceCommand, UsageError } from './command.ts';

const accesses: readonly string[] = ['none', 'requested', 'granted'] satisfies RestrictedAccess[];

export const createMerchantCommand: ServiceCommand = {
  async run(service, { options }) {
    const { name, email, restricted, accounts } = options as Record<string, string | undefined>;
    if (restricted !== undefined && !accesses.includes(restricted)) {
      throw new UsageError(`--restricted must be one of ${accesses.join(', ')}`);
    }
    if (accounts !== undefined && accounts !== 'demo') throw new UsageError('--accounts must be demo');
    const input = {
      name: name ?? '',
      email,
      restricted: restricted as RestrictedAccess | undefined,
      demoAccounts: accounts === 'demo',
    };
    const made = await createMerchant(service, { input, now: new Date() });
    return { json: toJson(made), text: toText(made) };
  },
};

function toJson({ merchant, keys, certificate, email, password }: NewMerchant) {
  return { merchantId: merchant.id, live: keys.live, sandbox: keys.sandbox, certificate, email, password };
}

function toText({ merchant, keys, certificate, email, password }: NewMerchant): string {
  const modes = Object.entries(keys).flatMap(([mode, { apiKey, apiSecret, publishableKey }]) => [
    `${mode} API key          ${apiKey}`,
    `${mode} API secret       ${apiSecret}`,
    `${mode} publishable key  ${publishableKey}`,
  ]);
  return [
    `Merchant ${merchant.id}`,
    ...modes,
    `Dashboard  ${email}  ${password}`,
    'Certificate (public key, verifies callbacks):',
    certificate,
  ].join('\n');
}

export const grantMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const merchant = await grantRestrictedAccess(service, { id, now: new Date() });
    return {
      json: { merchantId: merchant.id, restrictedAccess: merchant.restrictedAccess },
      text: `${merchant.name} (${merchant.id}) has restricted access`,
    };
  },
};
