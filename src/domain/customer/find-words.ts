import type { Customer, Prisma } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import type { Traces } from './find-traces.ts';

const columns = { email: true, phone: true, firstName: true, lastName: true } as const;

/** By which texts a customer is known: e-mails, phones, names, as they were given. */
export async function findWords(tx: Tx, customer: Customer, traces: Traces): Promise<string[]> {
  const among = (ids: string[]) => ({ where: { id: { in: ids } } });
  const prefill = { select: { customer: true } } as const;
  const rows = [
    ...(await tx.charge.findMany({ ...among(traces.chargeIds), select: columns })),
    ...(await tx.subscription.findMany({ ...among(traces.subscriptionIds), select: columns })),
  ];
  const prefills: { customer: Prisma.JsonValue }[] = [
    ...(await tx.checkoutSession.findMany({ ...among(traces.sessionIds), ...prefill })),
    ...(await tx.checkoutLink.findMany({ ...among(traces.checkoutLinkIds), ...prefill })),
    ...(await tx.subscriptionLink.findMany({ ...among(traces.subscriptionLinkIds), ...prefill })),
  ];
  const texts = [customer.email, customer.phone]
    .concat(rows.flatMap(({ email, phone, firstName, lastName }) => [email, phone, firstName, lastName]))
    .concat(prefills.flatMap((row) => Object.values(row.customer ?? {}).map(textOf)));
  return [...new Set(texts)].filter((text) => text !== null && text !== '') as string[];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
