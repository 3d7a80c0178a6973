import type { Charge, ChargeStatus, Mode } from '../../prisma/client/client.ts';
import { insertApiKey } from '../../src/domain/accounts/api-key/insert-api-key.ts';
import { permissions as all, type Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import {
  type CreateMerchantInput,
  createMerchant,
  createMerchantSecrets,
  type MerchantSecrets,
  type ModeKeys,
  type NewMerchant,
} from '../../src/domain/accounts/merchant/create-merchant.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import { type CreateChargeInput, createCharge } from '../../src/domain/payments/charge/create-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { createCounter } from './create-counter.ts';

/** A Tuesday, the default time of seeds. */
export const noon = new Date('2026-11-17T12:00:00.000Z');

/** Returns noon in UTC of a day such as 2026-11-17. */
export function day(text: string): Date {
  return new Date(`${text}T12:00:00.000Z`);
}

export function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * 60_000);
}

/**
 * Every eighth merchant has the same keys and passwords, because creating them would take a sixth of the suite’s time.
 */
const secretsCount = 8;
const secretsPool: Promise<MerchantSecrets>[] = [];
const nextSecretsNumber = createCounter();

function nextSecrets(): Promise<MerchantSecrets> {
  const index = nextSecretsNumber() % secretsCount;
  secretsPool[index] ??= createMerchantSecrets();
  return secretsPool[index];
}

/** Creates a merchant with fictional accounts in both modes, so that live charges need no rate feed. */
export async function seedMerchant(
  service: Service,
  input: Partial<CreateMerchantInput> = {},
  now = noon,
): Promise<NewMerchant> {
  return createMerchant(service, {
    input: { name: 'Harbour Teas', restrictedAccess: 'granted', hasDemoAccounts: true, ...input },
    secrets: await nextSecrets(),
    now,
  });
}

/** Creates an API key, by default a live one with all permissions. */
export async function seedApiKey(
  service: Service,
  { merchant }: NewMerchant,
  options: { mode?: Mode; permissions?: readonly Permission[]; now?: Date } = {},
): Promise<ModeKeys & { id: string }> {
  const { mode = 'live', permissions = all, now = noon } = options;
  const { apiKey, secret } = await transact(service, ({ tx }) =>
    insertApiKey(tx, { merchantId: merchant.id, mode, name: permissions.join(' '), permissions, now }),
  );
  return { id: apiKey.id, apiKey: apiKey.key, apiSecret: secret, publishableKey: '' };
}

/** Creates a pending charge, by default of HKD 128.50 by FPS. */
export async function seedCharge(
  service: Service,
  merchant: NewMerchant,
  options: { mode?: Mode; input?: Partial<CreateChargeInput>; now?: Date } = {},
): Promise<Charge> {
  const { charge } = await createCharge(service, {
    merchant: merchant.merchant,
    mode: options.mode ?? 'live',
    actor: 'key:test',
    input: {
      email: 'ada@example.com',
      merchantAmount: 128.5,
      merchantCurrency: 'HKD',
      method: 'fps',
      ...options.input,
    },
    now: options.now ?? noon,
  });
  return charge;
}

/** Creates a sandbox charge that was completed manually. */
export async function seedCompletedCharge(
  service: Service,
  merchant: NewMerchant,
  options: { input?: Partial<CreateChargeInput>; now?: Date } = {},
): Promise<Charge> {
  const { now = noon } = options;
  const charge = await seedCharge(service, merchant, { mode: 'sandbox', ...options });
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox' } as const;
  return completeSandboxCharge(service, { ...owner, id: charge.id, actor: 'user:test', now });
}

export async function readChargeStatus(service: Service, { id }: Pick<Charge, 'id'>): Promise<ChargeStatus> {
  return (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;
}
