import { type Customer, Prisma } from '../../../prisma/client/client.ts';
import { foldEmail } from '../../kit/contact.ts';
import type { Tx } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import type { Owner } from '../../kit/owner.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { CustomerDetails } from './customer-input.ts';

type Named = Owner & { email: string; phone: string; now: Date };

/**
 * The merchant's customer with this e-mail (compared lower-cased), else with this phone, else a new one. One known by the
 * phone alone has the e-mail from then on; one who has another e-mail is somebody else. The row stays locked until the
 * transaction ends, so that two creations for one customer run one after the other.
 */
export async function recordCustomer(
  tx: Tx,
  input: Owner & { details: CustomerDetails; now: Date },
): Promise<Customer> {
  const { merchantId, mode, now } = input;
  const email = input.details.email === undefined ? null : foldEmail(input.details.email);
  const phone = input.details.phone ?? null;
  // Who gives the phone alone, and who gives an e-mail with it, lock different rows.
  if (phone !== null) await takeTurn(tx, `customer ${merchantId} ${mode} ${phone}`);
  if (email === null && phone !== null) {
    const known = await findByPhone(tx, { merchantId, mode, phone });
    if (known) return known;
  }
  const target =
    email !== null
      ? Prisma.sql`(merchant_id, mode, email) DO UPDATE SET phone = coalesce(customer.phone, excluded.phone)`
      : Prisma.sql`(merchant_id, mode, phone) WHERE email IS NULL DO UPDATE SET phone = excluded.phone`;
  const made = newId('customer', now);
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO customer (id, merchant_id, mode, email, phone, created_at, updated_at)
    VALUES (${made}, ${merchantId}, ${mode}::mode, ${email}, ${phone}, ${now}, ${now})
    ON CONFLICT ${target} RETURNING id`;
  const { id } = row!;
  const mayBeKnownByPhone = id === made && email !== null && phone !== null;
  const whose = mayBeKnownByPhone ? await giveEmail(tx, id, { merchantId, mode, email, phone, now }) : id;
  return tx.customer.findUniqueOrThrow({ where: { id: whose } });
}

/**
 * The customer of a charge that was started on a page, found by the email alone. A phone typed there has not been
 * verified: it stays on the charge and never identifies a customer, or a payer who types another person's number would share
 * a customer with that person.
 */
export function recordPageCustomer(
  tx: Tx,
  { details: { email }, ...input }: Owner & { details: CustomerDetails; now: Date },
): Promise<Customer> {
  if (email === undefined) throw new Error('the forms of customer pages require an email');
  return recordCustomer(tx, { ...input, details: { email } });
}

/**
 * Gives the e-mail to the customer known by the phone alone, where there is one, in place of the row just made, which
 * holds up others with the e-mail until then. Answers whose it is.
 */
async function giveEmail(tx: Tx, made: string, { email, now, ...key }: Named): Promise<string> {
  const [known] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM customer WHERE merchant_id = ${key.merchantId} AND mode = ${key.mode}::mode
      AND phone = ${key.phone} AND email IS NULL FOR UPDATE`;
  if (!known) return made;
  await tx.customer.delete({ where: { id: made } });
  await tx.customer.update({ where: { id: known.id }, data: { email, updatedAt: now } });
  return known.id;
}

/** The oldest customer with the phone, with or without an e-mail, locked: the row is written anew, see createAtOnce. */
async function findByPhone(tx: Tx, key: Owner & { phone: string }): Promise<Customer | null> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE customer SET phone = phone WHERE id = (
      SELECT id FROM customer WHERE merchant_id = ${key.merchantId} AND mode = ${key.mode}::mode AND phone = ${key.phone}
      ORDER BY id LIMIT 1 FOR UPDATE) RETURNING id`;
  return rows[0] ? tx.customer.findUnique({ where: { id: rows[0].id } }) : null;
}
