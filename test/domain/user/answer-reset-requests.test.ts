import { expect, test } from 'vitest';
import { processResetRequests } from '../../../src/domain/accounts/user/process-reset-requests.ts';
import { sha256 } from '../../../src/kit/secrets.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { recordStatements } from '../../setup/sent-statements.ts';
import { setupService } from '../../setup/service.ts';
import { readLinkToken } from '../../setup/users.ts';

const onCleanup = cleanupAfterFile();

/** Requests for a new password, answered many at a time. test/schema/passwords.test.ts has what a user sees. */

const service = await setupService(onCleanup);

const ask = (emails: string[]) =>
  service.prisma.passwordResetRequest.createMany({
    data: emails.map((email) => ({ email, ipAddress: '203.0.113.7', createdAt: noon })),
  });

async function makeUsers(count: number): Promise<string[]> {
  const emails: string[] = [];
  for (let i = 0; i < count; i++) emails.push((await seedMerchant(service)).email);
  return emails;
}

const answer = () => processResetRequests(service, { now: noon });
const userOf = (email: string) => service.prisma.merchantUser.findFirstOrThrow({ where: { email } });

test('takes as many statements for six as for two, and whichever mail a user opens, its link counts', async () => {
  const statements = async (count: number) => {
    const emails = await makeUsers(count);
    await ask([...emails, ...emails]);
    const { result, sent } = await recordStatements(answer);
    expect(result).toBe(2 * count);
    for (const email of emails) {
      const { id: userId } = await userOf(email);
      const token = await readLinkToken(service, email, 'password-reset');
      expect(await service.prisma.passwordReset.findUnique({ where: { userId } })).toMatchObject({
        tokenHash: sha256(token),
      });
    }
    return sent.length;
  };
  expect(await statements(6)).toBe(await statements(2));
});

test('one that cannot be answered keeps no other', async () => {
  const [broken, sound] = (await makeUsers(2)) as [string, string];
  // Nothing lets such an address in; a restored backup or a hand in the database may.
  const { id } = await userOf(broken);
  await service.prisma.merchantUser.update({ where: { id }, data: { email: 'no address' } });
  await ask(['no address', sound]);
  const [first] = await service.prisma.passwordResetRequest.findMany({ orderBy: { id: 'asc' } });
  await expect(answer()).rejects.toThrow(`some password reset requests could not be processed: ${first!.id}`);
  await readLinkToken(service, sound, 'password-reset');
  expect(await service.prisma.passwordResetRequest.findMany({ select: { id: true } })).toEqual([
    { id: first!.id },
  ]);
});
