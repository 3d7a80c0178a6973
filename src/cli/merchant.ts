import type { Merchant, RestrictedAccess } from '../../prisma/client/client.ts';
import { namesOf } from '../../schema/operation-names.ts';
import { createMerchant, type NewMerchant } from '../domain/accounts/merchant/create-merchant.ts';
import { declineRestrictedAccess } from '../domain/accounts/merchant/decline-restricted-access.ts';
import { disableMerchant } from '../domain/accounts/merchant/disable-merchant.ts';
import { grantRestrictedAccess } from '../domain/accounts/merchant/grant-restricted-access.ts';
import { switchOperations } from '../domain/accounts/merchant/switch-operations.ts';
import type { Service } from '../domain/platform/service.ts';
import { type CommandCall, type ServiceCommand, UsageError } from './command.ts';

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
    return accessAnswer(await grantRestrictedAccess(service, { ...byOperator(), merchantId }));
  },
};

export const declineMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], options: { reason } }) {
    const options = { ...byOperator(), merchantId, reason: String(reason) };
    return accessAnswer(await declineRestrictedAccess(service, options));
  },
};

function accessAnswer({ id, name, restrictedAccess, accessDeclineReason }: Merchant) {
  const isGranted = restrictedAccess === 'granted';
  return {
    json: {
      merchantId: id,
      restrictedAccess,
      ...(accessDeclineReason !== null && { reason: accessDeclineReason }),
    },
    text: `${name} (${id}) has ${isGranted ? '' : 'no '}restricted access`,
  };
}

export const switchOffCommand: ServiceCommand = { run: (service, call) => switchTo('off', service, call) };
export const switchOnCommand: ServiceCommand = { run: (service, call) => switchTo('on', service, call) };

async function switchTo(
  to: 'on' | 'off',
  service: Service,
  { positionals: [merchantId = '', ...operations] }: CommandCall,
) {
  // Here alone: no other command needs the GraphQL schema, which takes a moment to build.
  const { schema } = await import('../../schema/schema.ts');
  const options = { ...byOperator(), merchantId, operations, to, known: namesOf(schema) };
  const { id, name, offOperations } = await switchOperations(service, options);
  return {
    json: { merchantId: id, offOperations },
    text: `${name} (${id}): ${offOperations.length === 0 ? 'no operations are' : `${offOperations.join(', ')} ${offOperations.length === 1 ? 'is' : 'are'}`} disabled`,
  };
}

export const disableMerchantCommand: ServiceCommand = {
  run: (service, call) => disable(true, service, call),
};
export const enableMerchantCommand: ServiceCommand = {
  run: (service, call) => disable(false, service, call),
};

async function disable(disabled: boolean, service: Service, { positionals: [merchantId = ''] }: CommandCall) {
  const { id, name } = await disableMerchant(service, { ...byOperator(), merchantId, disabled });
  return {
    json: { merchantId: id, disabled },
    text: `The account of ${name} (${id}) is ${disabled ? 'disabled' : 'enabled'}`,
  };
}

/** Whoever may run the command line. */
function byOperator() {
  return { actor: 'operator', now: new Date() };
}
