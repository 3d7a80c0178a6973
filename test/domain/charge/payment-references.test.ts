import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { beforeStatement, recordStatements, type SentStatement } from '../../setup/sent-statements.ts';

const dayMinutes = 24 * 60;

/** Creates a charge whose payment reference an older charge takes just before the insert. */
async function createWithSameReference(service: Service, merchant: NewMerchant, older: string, days: number) {
  let drawn: string | undefined;
  const isInsert = ({ text }: SentStatement) => text.includes('INSERT INTO charge (');
  beforeStatement(onTestFinished, isInsert, ({ values: [rows] }) => {
    drawn = JSON.parse(rows as string)[0].payment_reference as string;
    return service.prisma.charge.update({ where: { id: older }, data: { paymentReference: drawn } });
  });
  const input = { email: `after${days}@example.com` };
  const now = minutesAfter(noon, days * dayMinutes);
  const { result, sent } = await recordStatements(() => seedCharge(service, merchant, { input, now }));
  return { drawn, reference: result.paymentReference, inserts: sent.filter(isInsert).length };
}

describe('Payment reference', () => {
  test('is unique among the open charges of an account, by a database constraint', async ({
    service,
    merchant,
  }) => {
    const first = await seedCharge(service, merchant, { input: { email: 'one@example.com' } });
    const other = await seedCharge(service, merchant, { input: { email: 'other@example.com' } });
    const take = () =>
      service.prisma.charge.update({
        where: { id: other.id },
        data: { paymentReference: first.paymentReference },
      });
    await expect(take()).rejects.toMatchObject({ code: 'P2002' });
    await service.prisma.charge.update({ where: { id: first.id }, data: { status: 'cancelled' } });
    expect((await take()).paymentReference).toBe(first.paymentReference);
  });

  test('is not reused until 180 days after the charge was created, even if the charge has ended', async ({
    service,
    merchant,
  }) => {
    const ended = await seedCharge(service, merchant, { input: { email: 'ended@example.com' } });
    await service.prisma.charge.update({ where: { id: ended.id }, data: { status: 'expired' } });
    const soon = await createWithSameReference(service, merchant, ended.id, 179);
    expect(soon.drawn).toBeDefined();
    expect(soon.reference).not.toBe(soon.drawn);
    expect(soon.inserts).toBe(2);
    const late = await createWithSameReference(service, merchant, ended.id, 181);
    expect(late.reference).toBe(late.drawn);
    expect(late.inserts).toBe(1);
  });
});
