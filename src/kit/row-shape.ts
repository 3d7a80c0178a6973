import { Prisma } from '../../prisma/client/client.ts';
import { columnOf } from './insert-rows.ts';

/** Members that SQL gives in another form than Prisma: amounts and decimals as text, times within JSON as text too. */
type Kinds<Row> = { [Member in keyof Row]?: 'bigint' | 'decimal' | 'date' };

type Given = Record<string, unknown>;

/** How SQL tells whole rows of one table, as columns or within JSON, and how they become what Prisma reads. */
export type RowShape<Row> = {
  /** For the list of a SELECT. */
  columns(table: string): string;
  /** One JSON object. */
  json(table: string): string;
  /** Takes over the row given. */
  read(given: Given): Row;
};

/** The names of a row's members, of which none is forgotten: the compiler asks for it. */
export function everyMember<Row>(members: Record<keyof Row & string, true>): (keyof Row & string)[] {
  return Object.keys(members) as (keyof Row & string)[];
}

export function rowShape<Row>(members: readonly (keyof Row & string)[], kinds: Kinds<Row>): RowShape<Row> {
  const special = Object.entries(kinds) as [string, 'bigint' | 'decimal' | 'date'][];
  const read = (given: Given): Row => {
    for (const [member, kind] of special) given[member] = convert(given[member], kind);
    return given as Row;
  };
  const isText = (member: string) => special.some(([name, kind]) => name === member && kind !== 'date');
  return {
    columns: (table) => members.map((member) => `${table}.${columnOf(member)} AS "${member}"`).join(', '),
    json: (table) => {
      const pairs = members.map(
        (member) => `'${member}', ${table}.${columnOf(member)}${isText(member) ? '::text' : ''}`,
      );
      return `json_build_object(${pairs.join(', ')})`;
    },
    read,
  };
}

function convert(value: unknown, kind: 'bigint' | 'decimal' | 'date'): unknown {
  if (value === null) return null;
  if (kind === 'bigint') return BigInt(value as string);
  if (kind === 'decimal') return new Prisma.Decimal(value as string);
  // As a column it is one already.
  return value instanceof Date ? value : new Date(value as string);
}
