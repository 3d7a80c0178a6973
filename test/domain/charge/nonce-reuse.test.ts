import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { beforeStatement, type Sent, spying } from '../../setup/sent-sql.ts';
import { testService } from '../../setup/service.ts';

let service: Service;
let merchant: NewMerchant;
const dayMinutes = 24 * 60;

beforeAll(async () => {
  service = await testService();
  merchant = await makeMerchant(service);
});

/** Gives the nonce of a new charge to an older one just before the new one is inserted. */
async function createWithNonceOf(older: string, days: number) {
  let drawn: string | undefined;
  const inserts = ({ text }: Sent) => text.includes('INSERT INTO charge (');
  beforeStatement(inserts, ({ values: [rows] }) => {
    drawn = JSON.parse(rows as string)[0].payment_reference as string;
    return service.prisma.charge.update({ where: { id: older }, data: { paymentReference: drawn } });
  });
  const input = { email: `after${days}@example.com` };
  const now = minutesAfter(noon, days * dayMinutes);
  const { result, sent } = await spying(() => makeCharge(service, merchant, { input, now }));
  return { drawn, nonce: result.paymentReference, inserts: sent.filter(inserts).length };
}

describe('the nonce of a charge', () => {
  test('is that of one open charge of its account alone: the database refuses another', async () => {
    const one = await makeCharge(service, merchant, { input: { email: 'one@example.com' } });
    const other = await makeCharge(service, merchant, { input: { email: 'other@example.com' } });
    const take = () =>
      service.prisma.charge.update({
        where: { id: other.id },
        data: { paymentReference: one.paymentReference },
      });
    await expect(take()).rejects.toMatchObject({ code: 'P2002' });
    await service.prisma.charge.update({ where: { id: one.id }, data: { status: 'cancelled' } });
    expect((await take()).paymentReference).toBe(one.paymentReference);
  });

  test('is not used again within 180 days, though its charge has ended; later it may be', async () => {
    const ended = await makeCharge(service, merchant, { input: { email: 'ended@example.com' } });
    await service.prisma.charge.update({ where: { id: ended.id }, data: { status: 'expired' } });
    const soon = await createWithNonceOf(ended.id, 179);
    expect(soon.drawn).toBeDefined();
    expect(soon.nonce).not.toBe(soon.drawn);
    expect(soon.inserts).toBe(2);
    const late = await createWithNonceOf(ended.id, 181);
    expect(late.nonce).toBe(late.drawn);
    expect(late.inserts).toBe(1);
  });
});
