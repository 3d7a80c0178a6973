import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { MerchantUser, UserRole } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { type AuditActor, recordAudit } from '../../platform/audit/record-audit.ts';

/** The size of a generated password: 120 random bits, 20 characters in base64url. */
const passwordBytes = 15;

/** Hashes with Argon2id and OWASP's recommended parameters (19 MiB, 2 rounds), the library's defaults. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/**
 * Creates a dashboard user; operators have no merchant. Callers hash the password before the transaction, because
 * hashing is slow. Throws 400 if the email is invalid or taken, or if the merchant has only a sandbox, because users
 * can enter live mode.
 */
export async function createUser(
  uow: UnitOfWork,
  options: AuditActor & Omit<NewUser, 'name'>,
): Promise<MerchantUser> {
  const email = foldEmail(parseEmail(options.email, '/email'));
  const { merchantId: id } = options;
  if (id !== null && (await uow.tx.merchant.findUnique({ where: { id, sandboxOnly: true } })))
    throw invalidInputError('/merchantId', 'has only a sandbox, so it can have no users');
  const user = await insertUser(uow, { ...options, email });
  if (!user) throw invalidInputError('/email', 'is already used by another user');
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

/**
 * Inserts a user; all new users go through this function. `email` must be folded (`foldEmail`). Returns
 * undefined if another user has this email.
 */
export async function insertUser(
  uow: UnitOfWork,
  options: Partial<AuditActor> & NewUser,
): Promise<MerchantUser | undefined> {
  const { tx } = uow;
  const { merchantId, email, name = '', role, passwordHash, ipAddress, now } = options;
  // Serializes concurrent creations with the same email.
  await lockByName(tx, `user ${email}`);
  const existingUser = await tx.merchantUser.findFirst({
    where: { email, removedAt: null },
    select: { id: true },
  });
  if (existingUser) return undefined;
  const user = await tx.merchantUser.create({
    data: { id: newId('user', now), merchantId, email, name, role, passwordHash, createdAt: now },
  });
  // A user who accepts an invitation is the actor of their own creation.
  const actor = options.actor ?? `user:${user.id}`;
  const entry = { merchantId, actor, ipAddress, objectId: user.id, detail: { email, role }, now };
  await recordAudit(uow, { ...entry, action: 'user.created' });
  return user;
}

export function generatePassword(): string {
  return randomBytes(passwordBytes).toString('base64url');
}

const nameLengthMax = 80;

export function checkUserName(input: string): string {
  return checkNonEmpty(input, '/name', { max: nameLengthMax });
}
