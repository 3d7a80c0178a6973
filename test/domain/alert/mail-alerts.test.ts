import { beforeEach, expect, test } from 'vitest';
import { mailAlerts } from '../../../src/domain/accounts/alert/mail-alerts.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { newId } from '../../../src/kit/id.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Alerts of failing endpoints, mailed many at a time. */

const service = await setupService(onCleanup);

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

async function makeAlerts(merchant: NewMerchant, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('alert', noon));
  await service.prisma.alert.createMany({
    data: ids.map((id) => ({
      id,
      merchantId: merchant.merchant.id,
      mode: 'live' as const,
      kind: 'endpoint_failing',
      url: 'https://shop.example/hooks',
      detail: 'HTTP 500',
      dedupeKey: id,
      createdAt: noon,
    })),
  });
  return ids;
}

/** Besides the owner, whom every merchant has. */
async function addDevelopers(merchant: NewMerchant, count: number): Promise<void> {
  const owner = await service.prisma.merchantUser.findFirstOrThrow({ where: { email: merchant.email } });
  await service.prisma.merchantUser.createMany({
    data: Array.from({ length: count }, (_, i) => {
      const id = newId('user', noon);
      return { ...owner, id, role: 'developer' as const, email: `dev${i}-${id}@example.com` };
    }),
  });
}

const mail = () => mailAlerts(service, { now: noon });

test('many alerts and readers take as many statements as one', async () => {
  const statements = async (alerts: number, developers: number) => {
    const [one, other] = [await seedMerchant(service), await seedMerchant(service)];
    await addDevelopers(one, developers);
    await makeAlerts(one, alerts);
    await makeAlerts(other, alerts);
    const { result, sent } = await recordStatements(mail);
    expect(result).toBe(2 * alerts);
    const mails = (merchantId: string) => service.prisma.message.count({ where: { merchantId } });
    expect(await mails(one.merchant.id)).toBe(alerts * (developers + 1));
    expect(await mails(other.merchant.id)).toBe(alerts);
    return sent.length;
  };
  expect(await statements(8, 10)).toBe(await statements(1, 0));
});

test('one that cannot be mailed keeps no other; it is named, and mailed when that is mended', async () => {
  const [broken, sound] = [await seedMerchant(service), await seedMerchant(service)];
  const [first] = await makeAlerts(broken, 1);
  await makeAlerts(sound, 3);
  // Nothing lets such an address in; a restored backup or a hand in the database may.
  const { id } = await service.prisma.merchantUser.update({
    where: {
      id: (await service.prisma.merchantUser.findFirstOrThrow({ where: { email: broken.email } })).id,
    },
    data: { email: 'no address' },
  });
  await expect(mail()).rejects.toThrow(`some alerts could not be emailed: ${first}`);
  expect(await service.prisma.message.count({ where: { recipient: sound.email } })).toBe(3);
  await service.prisma.merchantUser.update({ where: { id }, data: { email: broken.email } });
  expect(await mail()).toBe(1);
  expect(await service.prisma.message.count({ where: { recipient: broken.email } })).toBe(1);
});
