import { beforeAll, describe, expect, test } from 'vitest';
import { insertCharge } from '../../../src/domain/charge/insert-charge.ts';
import { prepareCharge } from '../../../src/domain/charge/prepare-charge.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../../src/domain/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
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

/** The database finds the word of a new charge used before: it is given to the older charge as it is looked for. */
async function createWithWordOf(older: string, days: number) {
  let asked: string | undefined;
  const creates = ({ text }: Sent) => text.includes('AS "isMade"');
  beforeStatement(creates, ({ values: [creation] }) => {
    asked = JSON.parse(creation as string).nonce as string;
    return service.prisma.charge.update({ where: { id: older }, data: { nonce: asked } });
  });
  const input = { email: `after${days}@example.com` };
  const now = minutesAfter(noon, days * dayMinutes);
  const { result, sent } = await spying(() => makeCharge(service, merchant, { input, now }));
  return { asked, nonce: result.nonce, statements: sent.filter(creates).length };
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]{5}[2-9]{4}$/.test(value);

/** The same of a charge that a customer's page makes: Prisma looks for the word. */
async function insertWithWordOf(older: string, days: number) {
  const now = minutesAfter(noon, days * dayMinutes);
  const owner = { merchant: merchant.merchant, mode: 'live' } as const;
  const terms = {
    merchantMoney: { minor: 500n, currency: 'HKD' },
    method: 'fps' as const,
    customer: {},
    orders: [],
  };
  const prepared = await prepareCharge(service, { ...owner, terms, now });
  const { customerId } = await service.prisma.charge.findUniqueOrThrow({ where: { id: older } });
  let asked: string | undefined;
  const wordIn = ({ text, values }: Sent) => (text.includes('"nonce" =') ? values.find(isWord) : undefined);
  beforeStatement(
    (sent) => wordIn(sent) !== undefined,
    (sent) => {
      asked = wordIn(sent);
      return service.pool.query('UPDATE charge SET nonce = $1 WHERE id = $2', [asked, older]);
    },
  );
  const options = { customerId, actor: 'customer', now };
  const { nonce } = await transact(service, (uow) => insertCharge(uow, prepared, options));
  return { asked, nonce };
}

describe('the word of a charge', () => {
  test('is that of one open charge of its account alone: the database refuses another', async () => {
    const one = await makeCharge(service, merchant, { input: { email: 'one@example.com' } });
    const other = await makeCharge(service, merchant, { input: { email: 'other@example.com' } });
    const take = () => service.prisma.charge.update({ where: { id: other.id }, data: { nonce: one.nonce } });
    await expect(take()).rejects.toMatchObject({ code: 'P2002' });
    await service.prisma.charge.update({ where: { id: one.id }, data: { status: 'cancelled' } });
    expect((await take()).nonce).toBe(one.nonce);
  });

  test.each([
    ['in one statement', createWithWordOf],
    ['in a transaction', insertWithWordOf],
  ])(
    'is not given again %s within 180 days, though its charge has ended; later it may be',
    async (how, create) => {
      const ended = await makeCharge(service, merchant, {
        input: { email: `${how.replaceAll(' ', '-')}@example.com` },
      });
      await service.prisma.charge.update({ where: { id: ended.id }, data: { status: 'expired' } });
      const soon = await create(ended.id, 179);
      expect(soon.asked).toBeDefined();
      expect(soon.nonce).not.toBe(soon.asked);
      const late = await create(ended.id, 181);
      expect(late.nonce).toBe(late.asked);
    },
  );

  test('that rests costs another statement, and no transaction', async () => {
    const ended = await makeCharge(service, merchant, { input: { email: 'rests@example.com' } });
    await service.prisma.charge.update({ where: { id: ended.id }, data: { status: 'expired' } });
    const { asked, nonce, statements } = await createWithWordOf(ended.id, 178);
    expect(nonce).not.toBe(asked);
    expect(statements).toBe(2);
  });
});
