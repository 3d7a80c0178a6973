import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MerchantCaller } from '../../../src/domain/accounts/api-key/permissions.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { declineRestrictedAccess } from '../../../src/domain/accounts/merchant/decline-restricted-access.ts';
import { findAccessVolumes } from '../../../src/domain/accounts/merchant/find-access-volumes.ts';
import { grantRestrictedAccess } from '../../../src/domain/accounts/merchant/grant-restricted-access.ts';
import { requestRestrictedAccess } from '../../../src/domain/accounts/merchant/request-restricted-access.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { seedCaller, toOwnerCaller } from '../../setup/callers.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { copyCompletedCharge } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;
let owner: MerchantCaller;
const now = new Date('2026-02-10T08:00:00Z');
const months = ['2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01'];
const needed = 200_000_000n;

beforeAll(async () => {
  service = await setupService(onCleanup);
});
beforeEach(async () => {
  merchant = await seedMerchant(service, { restricted: 'none' });
  owner = await seedCaller(service, merchant, { now });
});

const complete = (at: string, cents: bigint | null, more: object = {}) =>
  copyCompletedCharge(service, merchant, { at: new Date(at), cents, ...more });
const ask = () => requestRestrictedAccess(service, { caller: owner, now });
const volumes = async () =>
  (await findAccessVolumes(service, { merchantId: merchant.merchant.id, now })).map(
    ({ month, volumeCents }) => [month, volumeCents],
  );
const entries = () =>
  service.prisma.auditEntry.findMany({
    where: { merchantId: merchant.merchant.id, action: { startsWith: 'access.' } },
    orderBy: { id: 'asc' },
  });

async function fill(lastMonth = needed): Promise<void> {
  for (const month of months) {
    const cents = month === '2026-01' ? lastMonth : needed;
    await complete(`${month}-03T10:00:00Z`, cents - 1n);
    await complete(`${month}-20T10:00:00Z`, 1n);
  }
}

describe('asking for restricted access', () => {
  test('six months of USD 2,000,000 to the cent: granted at once', async () => {
    await fill();
    const answer = await ask();
    expect(answer.merchant.restrictedAccess).toBe('granted');
    expect(answer.months).toEqual(months.map((month) => ({ month, volumeCents: needed, missingCents: 0n })));
    expect(await entries()).toMatchObject([{ action: 'access.granted', actor: owner.actor }]);
  });

  test('one cent less in one month: an operator decides, and the answer says which month falls short by what', async () => {
    await fill(needed - 1n);
    const answer = await ask();
    expect(answer.merchant).toMatchObject({ restrictedAccess: 'requested', accessRequestedAt: now });
    expect(answer.months.filter(({ missingCents }) => missingCents > 0n)).toEqual([
      { month: '2026-01', volumeCents: needed - 1n, missingCents: 1n },
    ]);
  });

  test('a charge counts in the month, UTC, in which it completed, whatever the merchant’s time zone', async () => {
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { timeZone: 'Pacific/Auckland' },
    });
    await complete('2025-07-31T23:59:59.999Z', 1n);
    await complete('2025-08-01T00:00:00.000Z', 20n);
    await complete('2025-08-31T23:59:59.999Z', 300n, { createdAt: new Date('2025-08-30T00:00:00Z') });
    await complete('2025-09-01T00:00:00.000Z', 4_000n, { createdAt: new Date('2025-08-31T00:00:00Z') });
    await complete('2026-01-31T23:59:59.999Z', 50_000n);
    await complete('2026-02-01T00:00:00.000Z', 600_000n);
    expect(await volumes()).toEqual([
      ['2025-08', 320n],
      ['2025-09', 4_000n],
      ['2025-10', 0n],
      ['2025-11', 0n],
      ['2025-12', 0n],
      ['2026-01', 50_000n],
    ]);
  });

  test('what had no rate, did not complete, is of the sandbox or another merchant’s does not count', async () => {
    const at = '2025-12-05T00:00:00Z';
    await complete(at, null);
    await complete(at, 5n, { status: 'expired' });
    await complete(at, 6n, { mode: 'sandbox' });
    const other = await seedMerchant(service, { restricted: 'none' });
    await copyCompletedCharge(service, other, { at: new Date(at), cents: 7n });
    await complete(at, 8n);
    expect(Object.fromEntries(await volumes())).toMatchObject({ '2025-12': 8n });
  });

  test('sums beyond what a 64-bit number of cents in one charge tells are exact', async () => {
    await complete('2025-12-05T00:00:00Z', 9_000_000_000_000_000_000n);
    await complete('2025-12-06T00:00:00Z', 9_000_000_000_000_000_001n);
    expect(Object.fromEntries(await volumes())).toMatchObject({ '2025-12': 18_000_000_000_000_000_001n });
  });

  test('asked again it is worked out again; once granted it stays', async () => {
    await fill(needed - 1n);
    expect((await ask()).merchant.restrictedAccess).toBe('requested');
    await complete('2026-01-30T00:00:00Z', 1n);
    expect((await ask()).merchant.restrictedAccess).toBe('granted');
    await service.prisma.charge.updateMany({ where: {}, data: { usdAmount: null } });
    expect((await ask()).merchant.restrictedAccess).toBe('granted');
    expect((await entries()).map(({ action }) => action)).toEqual(['access.requested', 'access.granted']);
  });

  test('by a key, or by a user who is no owner: refused, and nothing waits for an operator', async () => {
    await fill();
    const developer = await seedCaller(service, merchant, { role: 'developer', now });
    for (const caller of [toOwnerCaller(merchant), developer])
      await expect(requestRestrictedAccess(service, { caller, now })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    expect(await entries()).toEqual([]);
  });

  test('by many at once: granted once', async () => {
    await fill();
    const asked = await Promise.all(Array.from({ length: count(10, 50) }, ask));
    expect(new Set(asked.map((answer) => answer.merchant.restrictedAccess))).toEqual(new Set(['granted']));
    expect(await entries()).toHaveLength(1);
  });
});

describe('an operator', () => {
  const by = { actor: 'operator', now };

  test('grants; declines with a reason, which a new request clears', async () => {
    const { id: merchantId } = merchant.merchant;
    await ask();
    const declined = await declineRestrictedAccess(service, { ...by, merchantId, reason: ' Too young. ' });
    expect(declined).toMatchObject({
      restrictedAccess: 'none',
      accessDeclineReason: 'Too young.',
      accessRequestedAt: null,
    });
    expect((await ask()).merchant).toMatchObject({
      restrictedAccess: 'requested',
      accessDeclineReason: null,
    });
    const granted = await grantRestrictedAccess(service, { ...by, merchantId });
    expect(granted).toMatchObject({ restrictedAccess: 'granted', accessRequestedAt: null });
    expect((await entries()).map(({ action, detail }) => [action, Object.keys(detail as object)])).toEqual([
      ['access.requested', months],
      ['access.declined', ['before', 'reason']],
      ['access.requested', months],
      ['access.granted', []],
    ]);
  });

  test.each([[''], [' '], ['x'.repeat(501)], ['\0']])('needs a reason to decline: not %j', async (reason) => {
    const options = { ...by, merchantId: merchant.merchant.id, reason };
    await expect(declineRestrictedAccess(service, options)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('is told of a merchant that is none', async () => {
    await expect(grantRestrictedAccess(service, { ...by, merchantId: 'mer_none' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
