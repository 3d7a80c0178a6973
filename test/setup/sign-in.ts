import type { MerchantUser, UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createUser, hashPassword } from '../../src/domain/accounts/user/create-user.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { TestApp } from './app.ts';
import { createCounter } from './create-counter.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export const password = 'correct horse battery staple';
const nextUserNumber = createCounter();

/** An operator belongs to no merchant. */
export async function seedUser(
  service: Service,
  { merchantId, email, role, now }: { merchantId: string | null; email: string; role: UserRole; now: Date },
): Promise<MerchantUser & { password: string }> {
  const passwordHash = await hashPassword(password);
  const user = { merchantId, email, role, passwordHash, actor: 'operator', now };
  return { ...(await transact(service, (uow) => createUser(uow, user))), password };
}

export type SignedInUser = Visitor & { email: string; address: string };

/** Creates a user of the merchant, or an operator, and signs them in to the dashboard from a new IP address. */
export async function signInAs(
  role: UserRole,
  { app, context }: Pick<TestApp, 'app' | 'context'>,
  merchant?: NewMerchant,
): Promise<SignedInUser> {
  const number = nextUserNumber();
  const email = `${role}${number}@example.com`;
  const address = `198.51.100.${number}`;
  const merchantId = role === 'operator' ? null : (merchant?.merchant.id ?? null);
  await seedUser(context.service, { merchantId, email, role, now: context.clock.now() });
  const visitor = createVisitor(app, { address });
  const { data } = await visitor.signIn(email, password);
  if (data?.signIn.__typename !== 'SignInSuccess') throw new Error(JSON.stringify(data));
  return { ...visitor, email, address };
}
