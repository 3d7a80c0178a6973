import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { MerchantUser, UserRole } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import { invalidInput } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { type Actor, recordAudit } from '../../platform/audit/record-audit.ts';

/** Random bits of a made-up password: 120, in 20 characters. */
const passwordBytes = 15;

/** Argon2id with the parameters OWASP recommends (19 MiB, 2 rounds), as the library sets them. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/**
 * A user of the dashboard with a made-up password, shown this once; an operator has no merchant. `passwordHash` is
 * made before the transaction, since it takes a while. Error: 400 when the e-mail is taken.
 */
export async function createUser(
  uow: UnitOfWork,
  options: Actor & Omit<NewUser, 'name'>,
): Promise<MerchantUser> {
  const email = foldEmail(parseEmail(options.email, '/email'));
  const user = await insertUser(uow, { ...options, email });
  if (!user) throw invalidInput('/email', 'is already used by another user');
  return user;
}

type NewUser = {
  merchantId: string | null;
  email: string;
  name?: string;
  role: UserRole;
  passwordHash: string;
  now: Date;
};

/** The one place where users are made; undefined when somebody signs in with the (folded) address already. */
export async function insertUser(
  uow: UnitOfWork,
  options: Partial<Actor> & NewUser,
): Promise<MerchantUser | undefined> {
  const { tx } = uow;
  const { merchantId, email, name = '', role, passwordHash, address, now } = options;
  // Two who take an address at once come one after the other.
  await lockByName(tx, `user ${email}`);
  const existingUser = await tx.merchantUser.findFirst({
    where: { email, disabledAt: null },
    select: { id: true },
  });
  if (existingUser) return undefined;
  const user = await tx.merchantUser.create({
    data: { id: newId('user', now), merchantId, email, name, role, passwordHash, createdAt: now },
  });
  // Whoever accepts an invitation makes themselves.
  const actor = options.actor ?? `user:${user.id}`;
  const entry = { merchantId, actor, address, objectId: user.id, detail: { email, role }, now };
  await recordAudit(uow, { ...entry, action: 'user.created' });
  return user;
}

export function generatePassword(): string {
  return randomBytes(passwordBytes).toString('base64url');
}
