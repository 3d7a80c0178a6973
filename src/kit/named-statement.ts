import pg from 'pg';
// @ts-expect-error: the driver's own, without types: how it tells values to PostgreSQL.
import utils from 'pg/lib/utils.js';

/** What the driver lets a query that is not its own do on a connection. */
type Wire = {
  /** By name, what this connection has prepared, and what it has sent for that and not heard of yet. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  stream: { writable: boolean; write(bytes: Buffer): void };
  parse(statement: { name: string; text: string }): void;
};

type Field = { name: string; dataTypeID: number };
type Fields = { names: string[]; readers: ((text: string) => unknown)[]; none: Record<string, null> };

/** Of each connection, the columns of what it has prepared: they are the same until it is prepared anew. */
const described = new WeakMap<Wire, Map<string, Fields>>();

/**
 * A prepared statement, for the driver to send and to give back the rows. Unlike the driver's own it asks once a
 * connection what its columns are: to be told and to read that takes longer than a row. A name belongs to one text.
 */
export function namedStatement(name: string, text: string, values: readonly unknown[]) {
  const told: (string | Buffer | null)[] = values.map(tell);
  const rows: Record<string, unknown>[] = [];
  let fields: Fields | undefined;
  let wire: Wire;
  let fault: unknown;
  return {
    name,
    text,
    values,
    /** Set by the driver, where it is not there. */
    callback: undefined as ((error: unknown, rows?: unknown) => void) | undefined,
    submit(connection: Wire): void {
      wire = connection;
      fields = described.get(wire)?.get(name);
      if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
        wire.parse({ name, text });
        wire.submittedNamedStatements[name] = text;
        fields = undefined;
      }
      // One that has broken tells whoever waits for it.
      if (wire.stream.writable) wire.stream.write(bind(name, told, fields ? run : describeAndRun));
    },
    handleRowDescription(message: { fields: Field[] }): void {
      fields = readFields(message.fields);
      const known = described.get(wire) ?? new Map<string, Fields>();
      described.set(wire, known.set(name, fields));
    },
    handleDataRow(message: { fields: (string | null)[] }): void {
      try {
        rows.push(readRow(fields!, message.fields));
      } catch (error) {
        fault ??= error;
      }
    },
    handleCommandComplete(): void {},
    handleReadyForQuery(): void {
      if (fault === undefined) this.callback?.(null, rows);
      else this.callback?.(fault);
    },
    handleError(error: unknown): void {
      this.callback?.(error);
    },
  };
}

/** Describe, Execute and Sync, of the portal without a name. */
const describe = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const run = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const describeAndRun = Buffer.concat([describe, run]);

/** The message Bind, of the portal without a name, and what follows it: as one piece, which is one way to the socket. */
function bind(name: string, values: readonly (string | Buffer | null)[], rest: Buffer): Buffer {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const length = 4 + 1 + (name.length + 1) + 2 + 2 * values.length + 2 + sum(lengths) + 4 * values.length + 2;
  const bytes = Buffer.allocUnsafe(1 + length + rest.length);
  let at = bytes.writeUInt8(0x42, 0);
  at = bytes.writeInt32BE(length, at);
  at = bytes.writeUInt8(0, at);
  at += bytes.write(name, at, 'latin1');
  at = bytes.writeUInt8(0, at);
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) at = bytes.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at);
  at = bytes.writeInt16BE(values.length, at);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    at = bytes.writeInt32BE(value === null ? -1 : lengths[i]!, at);
    if (typeof value === 'string') at += bytes.write(value, at);
    else if (value) at += value.copy(bytes, at);
  }
  // All columns as text.
  at = bytes.writeInt16BE(0, at);
  rest.copy(bytes, at);
  return bytes;
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const year10000 = Date.UTC(10_000, 0);

/** As the driver tells it; times that ISO 8601 tells with four digits for the year in UTC, which is quicker. */
function tell(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value;
  const isPlain = value instanceof Date && value.getTime() >= 0 && value.getTime() < year10000;
  return isPlain ? value.toISOString() : utils.prepareValue(value);
}

function readFields(fields: readonly Field[]): Fields {
  const names = fields.map((field) => field.name);
  return {
    names,
    readers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
    none: Object.fromEntries(names.map((name) => [name, null])),
  };
}

function readRow(
  { names, readers, none }: Fields,
  texts: readonly (string | null)[],
): Record<string, unknown> {
  // A copy, so that all rows are of one shape.
  const row: Record<string, unknown> = { ...none };
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    if (text != null) row[names[i]!] = readers[i]!(text);
  }
  return row;
}
