import type { Merchant, RestrictedAccess } from '../../prisma/client/client.ts';
import { listOperationNames } from '../../schema/operation-names.ts';
import { createMerchant, type NewMerchant } from '../domain/accounts/merchant/create-merchant.ts';
import { declineRestrictedAccess } from '../domain/accounts/merchant/decline-restricted-access.ts';
import { grantRestrictedAccess } from '../domain/accounts/merchant/grant-restricted-access.ts';
import { setMerchantEnabled } from '../domain/accounts/merchant/set-merchant-enabled.ts';
import { setOperationsEnabled } from '../domain/accounts/merchant/set-operations-enabled.ts';
import type { Service } from '../domain/platform/service.ts';
import { type CommandCall, type ServiceCommand, UsageError } from './command.ts';

const accessStates: readonly string[] = ['none', 'requested', 'granted'] satisfies RestrictedAccess[];

export const createMerchantCommand: ServiceCommand = {
  async run(service, { options }) {
    const { name, email, restricted, accounts } = options as Record<string, string | undefined>;
    if (restricted !== undefined && !accessStates.includes(restricted)) {
      throw new UsageError(`--restricted must be one of ${accessStates.join(', ')}`);
    }
    if (accounts !== undefined && accounts !== 'demo') throw new UsageError('--accounts must be demo');
    const input = {
      name: name ?? '',
      email,
      restrictedAccess: restricted as RestrictedAccess | undefined,
      hasDemoAccounts: accounts === 'demo',
    };
    const newMerchant = await createMerchant(service, { input, now: new Date() });
    return { json: toJson(newMerchant), text: toText(newMerchant) };
  },
};

function toJson({ merchant, keys, certificates, email, password }: NewMerchant) {
  return {
    merchantId: merchant.id,
    live: { ...keys.live, certificate: certificates.live },
    sandbox: { ...keys.sandbox, certificate: certificates.sandbox },
    certificate: certificates.live,
    email,
    password,
  };
}

function toText({ merchant, keys, certificates, email, password }: NewMerchant): string {
  const modes = Object.entries(keys).flatMap(([mode, { apiKey, apiSecret, publishableKey }]) => [
    `${mode} API key          ${apiKey}`,
    `${mode} API secret       ${apiSecret}`,
    `${mode} publishable key  ${publishableKey}`,
  ]);
  return [
    `Merchant ${merchant.id}`,
    ...modes,
    `Dashboard  ${email}  ${password}`,
    'live certificate (public key, verifies live callbacks):',
    certificates.live,
    'sandbox certificate (public key, verifies sandbox callbacks):',
    certificates.sandbox,
  ].join('\n');
}

export const grantMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''] }) {
    return toAccessResult(await grantRestrictedAccess(service, { ...createAuditContext(), merchantId }));
  },
};

export const declineMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], options: { reason } }) {
    const options = { ...createAuditContext(), merchantId, reason: String(reason) };
    return toAccessResult(await declineRestrictedAccess(service, options));
  },
};

function toAccessResult({ id, name, restrictedAccess, restrictedAccessDeclineReason }: Merchant) {
  const isGranted = restrictedAccess === 'granted';
  return {
    json: {
      merchantId: id,
      restrictedAccess,
      ...(restrictedAccessDeclineReason !== null && { reason: restrictedAccessDeclineReason }),
    },
    text: `${name} (${id}): restricted access is ${isGranted ? '' : 'not '}granted`,
  };
}

export const disableOperationCommand: ServiceCommand = {
  run: (service, call) => setOperations(false, service, call),
};
export const enableOperationCommand: ServiceCommand = {
  run: (service, call) => setOperations(true, service, call),
};

async function setOperations(
  isEnabled: boolean,
  service: Service,
  { positionals: [merchantId = '', ...operations] }: CommandCall,
) {
  // Imported on demand, because the GraphQL schema is slow to build and no other command needs it.
  const { schema } = await import('../../schema/schema.ts');
  const options = {
    ...createAuditContext(),
    merchantId,
    operations,
    isEnabled,
    allOperations: listOperationNames(schema),
  };
  const { id, name, disabledOperations } = await setOperationsEnabled(service, options);
  return {
    json: { merchantId: id, disabledOperations },
    text: `${name} (${id}): ${disabledOperations.length === 0 ? 'no operations are' : `${disabledOperations.join(', ')} ${disabledOperations.length === 1 ? 'is' : 'are'}`} disabled`,
  };
}

export const disableMerchantCommand: ServiceCommand = {
  run: (service, call) => setAccountEnabled(false, service, call),
};
export const enableMerchantCommand: ServiceCommand = {
  run: (service, call) => setAccountEnabled(true, service, call),
};

async function setAccountEnabled(
  isEnabled: boolean,
  service: Service,
  { positionals: [merchantId = ''] }: CommandCall,
) {
  const { id, name } = await setMerchantEnabled(service, { ...createAuditContext(), merchantId, isEnabled });
  return {
    json: { merchantId: id, isEnabled },
    text: `The account of ${name} (${id}) is ${isEnabled ? 'enabled' : 'disabled'}`,
  };
}

function createAuditContext() {
  return { actor: 'operator', now: new Date() };
}
