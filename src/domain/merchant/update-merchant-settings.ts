import type { Merchant, Prisma } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import type { Acting } from '../api-key/permissions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireOwner } from '../user/require-owner.ts';
import { lockMerchant } from './lock-merchant.ts';
import { requireMerchantWide } from './require-merchant-wide.ts';
import { parseSettings, type Settings, type SettingsInput } from './settings-input.ts';

/**
 * Changes settings, which hold for both modes at once (`requireMerchantWide`). What was and what is go into the audit
 * trail. How users authenticate is for owners only: an API key must not weaken it.
 * Errors: `permission_denied`, `invalid_request`.
 */
export async function updateMerchantSettings(
  db: Db,
  options: Acting & { input: SettingsInput },
): Promise<Merchant> {
  const { caller, input, now, address } = options;
  requireMerchantWide(caller, 'settings');
  const settings = parseSettings(input);
  if (settings.requireTwoFactor !== undefined || settings.reauthenticationMinutes !== undefined)
    requireOwner(caller, 'changes how users sign in');
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, caller.merchant.id);
    const detail = changesOf(before, settings);
    if (Object.keys(detail).length === 0) return before;
    const data = { ...settings, updatedAt: now };
    const merchant = await uow.tx.merchant.update({ where: { id: before.id }, data });
    const { actor } = caller;
    const entry = { merchantId: before.id, actor, address, objectId: before.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'settings.updated' });
    return merchant;
  });
}

/** What each changed setting was and is, as JSON. */
function changesOf(before: Merchant, settings: Partial<Settings>): Prisma.InputJsonObject {
  const entries = Object.entries(settings).flatMap(([name, value]) => {
    const from = toJson(before[name as keyof Settings]);
    const to = toJson(value);
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[name, { from, to }] as const];
  });
  return Object.fromEntries(entries);
}

function toJson(value: unknown): Prisma.InputJsonValue {
  if (typeof value !== 'object' || value === null) return value as Prisma.InputJsonValue;
  if ('toFixed' in value) return (value as { toFixed(): string }).toFixed();
  if (Array.isArray(value)) return value as Prisma.InputJsonArray;
  return Object.fromEntries(Object.entries(value).sort()) as Prisma.InputJsonObject;
}
