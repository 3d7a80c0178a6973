import type { builder } from '../kit/builder.ts';
import { toDecimalScalar } from '../scalars.ts';

type FieldBuilder<T> = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<T>>['implement']>[0]['fields']>
>[0];

/**
 * Returns a `Decimal` field for each entry of `sums`: its name in GraphQL, the property with minor units, and the
 * description.
 */
export function defineAmountFields<
  Sum extends string,
  Row extends { currency: string } & Record<Sum, bigint>,
  Name extends string,
>(t: FieldBuilder<Row>, sums: Readonly<Record<Name, readonly [sum: Sum, description: string]>>) {
  const fields = Object.entries<readonly [Sum, string]>(sums).map(([name, [sum, description]]) => [
    name,
    t.field({ type: 'Decimal', description, resolve: (row) => toDecimalScalar(row[sum], row.currency) }),
  ]);
  return Object.fromEntries(fields) as Record<Name, ReturnType<typeof t.string>>;
}
