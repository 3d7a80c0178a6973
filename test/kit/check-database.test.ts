import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkDatabase } from '../../src/kit/check-database.ts';
import { databaseUrl } from '../setup/template.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';

/** A message of PostgreSQL's protocol, version 3: a letter, the length, the parts. */
function message(letter: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

/** Lets everybody in, and answers each question with its version. */
function answerAs(version: string, socket: Socket): void {
  const idle = message('Z', Buffer.from('I'));
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', int32(0)), idle]));
    socket.on('data', (question) => {
      if (question[0] !== 'Q'.charCodeAt(0)) return;
      const column = [
        Buffer.from('server_version\0'),
        int32(0),
        int16(0),
        int32(25),
        int16(-1),
        int32(-1),
        int16(0),
      ];
      const row = message('D', int16(1), int32(version.length), Buffer.from(version));
      socket.write(
        Buffer.concat([message('T', int16(1), ...column), row, message('C', Buffer.from('SHOW\0')), idle]),
      );
    });
  });
}

async function serverOf(version: string): Promise<string> {
  const server = createServer((socket) => answerAs(version, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `postgresql://ada@127.0.0.1:${(server.address() as { port: number }).port}/causeway`;
}

test('PostgreSQL before 14 is refused, naming DATABASE_URL and both versions; 14 and what is in use here are taken', async () => {
  await expect(checkDatabase(await serverOf('13.22 (Debian 13.22-0+deb11u1)'))).rejects.toThrow(
    /^DATABASE_URL: PostgreSQL 13\.22 .* is too old: it must be 14 or later$/,
  );
  await checkDatabase(await serverOf('14.1'));
  await checkDatabase((await getTestPostgres()).url);
});

test('a name that nobody knows, and a database that is not there, are told apart; the password is never told', async () => {
  const unknown = checkDatabase('postgresql://ada:letmein@no-such-host.invalid/causeway');
  await expect(unknown).rejects.toThrow(
    /^DATABASE_URL: cannot reach PostgreSQL at no-such-host\.invalid \((?!.*letmein)/,
  );
  const missing = checkDatabase(databaseUrl((await getTestPostgres()).url, 'no_such_database'));
  await expect(missing).rejects.toThrow(/^DATABASE_URL: the database does not exist on .*: create it first/);
});
