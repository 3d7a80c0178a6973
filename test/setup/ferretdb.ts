import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { askDatabase } from './ask-database.ts';
import { quickFolder } from './quick-folder.ts';

/**
 * FerretDB, MongoDB's protocol over a PostgreSQL: `program` is what `.ci/ferretdb/build` made. It ends with its input,
 * and so with whoever started it. Gives its address.
 */
export async function startFerretDb(program: string, postgresUrl: string) {
  const database = `ferretdb_${process.pid}`;
  await askDatabase(postgresUrl, `CREATE DATABASE ${database}`);
  const own = new URL(postgresUrl);
  own.pathname = `/${database}`;
  const folder = await mkdtemp(join(quickFolder(), 'causeway-ferretdb-'));
  const child = spawn(program, [own.href, join(folder, 'socket')], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => [`it ended with ${code}`]),
  ]);
  const url = /^ready (.*)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(`FerretDB: ${line}`);
  return {
    url,
    async end() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
      await askDatabase(postgresUrl, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}
