import type { MerchantUser, UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createUser, hashPassword } from '../../src/domain/accounts/user/create-user.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { TestApp } from './app.ts';
import { makeVisitor, type Visitor } from './visitor.ts';

/** Of every user that is made here. */
export const password = 'correct horse battery staple';
let users = 0;

/** A user with that password; an operator is nobody's. */
export async function makeUser(
  service: Service,
  { merchantId, email, role, now }: { merchantId: string | null; email: string; role: UserRole; now: Date },
): Promise<MerchantUser & { password: string }> {
  const passwordHash = await hashPassword(password);
  const user = { merchantId, email, role, passwordHash, actor: 'operator', now };
  return { ...(await transact(service, (uow) => createUser(uow, user))), password };
}

/** Who has signed in, as whom and from where. */
export type SignedIn = Visitor & { email: string; address: string };

/** A new user of a merchant (an operator is nobody's) who has signed in at the dashboard, from an address of their own. */
export async function signedInAs(
  role: UserRole,
  { app, context }: Pick<TestApp, 'app' | 'context'>,
  merchant?: NewMerchant,
): Promise<SignedIn> {
  users += 1;
  const email = `${role}${users}@example.com`;
  const address = `198.51.100.${users}`;
  const merchantId = role === 'operator' ? null : (merchant?.merchant.id ?? null);
  await makeUser(context.service, { merchantId, email, role, now: context.clock.now() });
  const visitor = makeVisitor(app, { address });
  const { data } = await visitor.signIn(email, password);
  if (data?.signIn.__typename !== 'SignInSuccess') throw new Error(JSON.stringify(data));
  return { ...visitor, email, address };
}
