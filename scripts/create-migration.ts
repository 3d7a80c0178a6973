/**
 * Writes the SQL that migrates the committed prisma/schema.prisma to the current one:
 *
 *   npm run migration -- add_refunds         # creates a migration
 *   npm run --silent migration               # only prints the SQL
 *
 * The script connects to the service's database (DATABASE_URL, or the embedded one) but does not change it. Review the
 * SQL before committing: partial indexes, checks and triggers are written by hand.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readConfig } from '../src/kit/config.ts';
import { loadSchemaEngine, schemaPath } from '../src/kit/schema-engine.ts';
import { openDatabase } from '../src/start-database.ts';

const [name] = process.argv.slice(2);
const toDatamodel = (content: string) => ({ tag: 'schemaDatamodel', files: [{ path: schemaPath, content }] });
const readCommittedSchema = () =>
  execFileSync('git', ['show', 'HEAD:prisma/schema.prisma'], { encoding: 'utf8' });

const { connectionString, stop } = await openDatabase(readConfig(process.env), () => {});
const { stdout } = await diff().finally(stop);
// `COLLATE "C"` compares and sorts texts by bytes, independent of the database's collation.
const sql = (stdout ?? '').replace(/ TEXT(\[\])?(?=[ ,;\n])/g, ' TEXT$1 COLLATE "C"');
if (name === undefined) console.log(sql);
else await writeMigration(name);

async function writeMigration(name: string): Promise<void> {
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = new URL(`../prisma/migrations/${timestamp}_${name}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('migration.sql', folder), sql);
  console.log(`wrote ${folder.pathname}`);
}

async function diff(): Promise<{ stdout: string | null }> {
  const engine = await loadSchemaEngine(connectionString);
  try {
    return await engine.diff({
      from: toDatamodel(readCommittedSchema()),
      to: toDatamodel(await readFile(schemaPath, 'utf8')),
      script: true,
      shadowDatabaseUrl: null,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
  } finally {
    await engine.close();
  }
}
