import { type Duplex, Readable } from 'node:stream';
import type pg from 'pg';

/**
 * Streams COPY … TO STDOUT and COPY … FROM STDIN. The driver parses these protocol messages but leaves their
 * handling to the query object (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY).
 */

type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/**
 * Streams the rows in PostgreSQL's text format, with backpressure to the server. Calls `onEnd` with the number of rows
 * when the server has sent all of them.
 */
export function copyOut(client: pg.Client, sql: string, onEnd: (rows: number) => void): Readable {
  let connection: pg.Connection | undefined;
  const rows = new Readable({
    read() {
      connection?.stream.resume();
    },
    destroy(error, done) {
      // Discards the remaining rows, so that the connection can be closed.
      connection?.stream.resume();
      done(error);
    },
  });
  client.query({
    submit(newConnection: pg.Connection) {
      connection = newConnection;
      newConnection.query(sql);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      // The driver reuses its buffer, so the chunk must be copied.
      if (!rows.destroyed && !rows.push(Buffer.from(chunk))) connection?.stream.pause();
    },
    handleCommandComplete({ text }: { text: string }) {
      onEnd(parseRowCount(text));
    },
    handleReadyForQuery() {
      rows.push(null);
    },
    handleError(error: Error) {
      rows.destroy(error);
    },
  } as pg.Submittable);
  return rows;
}

/**
 * Sends the rows and returns the number of inserted rows. If sending or inserting fails, rejects and inserts no rows.
 */
export function copyIn(client: pg.Client, sql: string, rows: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let hasFailed = false;
    client.query({
      submit(connection: pg.Connection) {
        connection.query(sql);
      },
      handleCopyInResponse(connection: CopyConnection) {
        sendRows(connection, rows, () => hasFailed).catch(reject);
      },
      handleCommandComplete({ text }: { text: string }) {
        count = parseRowCount(text);
      },
      handleReadyForQuery() {
        resolve(count);
      },
      handleError(error: Error) {
        hasFailed = true;
        reject(error);
      },
    } as pg.Submittable);
  });
}

async function sendRows(
  connection: CopyConnection,
  rows: AsyncIterable<Buffer>,
  hasFailed: () => boolean,
): Promise<void> {
  const { stream } = connection;
  try {
    for await (const chunk of rows) {
      if (hasFailed() || !stream.writable) return;
      connection.sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) await waitForDrain(stream);
    }
    connection.endCopyFrom();
  } catch (error) {
    connection.sendCopyFail((error as Error).message);
    throw error;
  }
}

/** Resolves when the stream accepts more data or is closed. */
function waitForDrain(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** Parses a command tag such as `COPY 42`. */
function parseRowCount(commandTag: string): number {
  return Number(commandTag.replace(/^COPY /, ''));
}
