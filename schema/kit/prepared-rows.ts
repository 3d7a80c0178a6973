/** Rows that came with the relations that are asked of them, whole and in the order that their fields promise. */
const prepared = new WeakSet<object>();

/** Notes that the relations a row holds are what its fields with `preparedAs` show. */
export function notePrepared<Row extends object>(row: Row): Row {
  prepared.add(row);
  return row;
}

export function isPrepared(source: unknown): boolean {
  return prepared.has(source as object);
}

/** Options of a relation that a prepared row holds under its own name. */
export const preparedAs = (member: string) => ({ extensions: { preparedAs: member } });
