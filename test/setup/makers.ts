import type { Charge, Mode } from '../../prisma/client/client.ts';
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

/** A Tuesday; tests give their own times from here. */
export const noon = new Date('2026-11-17T12:00:00.000Z');

/** The noon of a day, such as 2026-11-17. */
export function day(text: string): Date {
  return new Date(`${text}T12:00:00.000Z`);
}

export function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * 60_000);
}

/**
 * Keys and passwords of merchants: to make new ones for each would take a sixth of the suite's time. So many in a process
 * that merchants made one after the other never have the same.
 */
const secretsCount = 8;
const secretsMade: Promise<MerchantSecrets>[] = [];
let secretsTaken = 0;

function takeSecrets(): Promise<MerchantSecrets> {
  const place = secretsTaken++ % secretsCount;
  secretsMade[place] ??= createMerchantSecrets();
  return secretsMade[place];
}

/** A merchant with fictional accounts in both modes, so that live charges need no rate feed. */
export async function makeMerchant(
  service: Service,
  input: Partial<CreateMerchantInput> = {},
  now = noon,
): Promise<NewMerchant> {
  return createMerchant(service, {
    input: { name: 'Harbour Teas', restricted: 'granted', demoAccounts: true, ...input },
    secrets: await takeSecrets(),
    now,
  });
}

/** A key of a merchant: live, and with all permissions, unless said otherwise. */
export async function makeKey(
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

/** A pending charge of HKD 128.50 by FPS, unless said otherwise. */
export async function makeCharge(
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

/** A sandbox charge as `makeCharge` makes it, completed by hand. */
export async function makeCompletedCharge(
  service: Service,
  merchant: NewMerchant,
  options: { input?: Partial<CreateChargeInput>; now?: Date } = {},
): Promise<Charge> {
  const { now = noon } = options;
  const charge = await makeCharge(service, merchant, { mode: 'sandbox', ...options });
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox' } as const;
  return completeSandboxCharge(service, { ...owner, id: charge.id, actor: 'user:test', now });
}
