/**
 * Writes the SQL that migrates an earlier prisma/schema.prisma to the current one:
 *
 *   npm run migration -- add_refunds [REVISION]
 *
 * REVISION is a Git revision (default HEAD), or `empty` for the first migration. The script connects to the
 * service's database (DATABASE_URL, or the embedded one) but does not change it. Review the SQL before
 * committing: partial indexes, checks and triggers are written by hand.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readConfig } from '../src/kit/config.ts';
import { loadSchemaEngine, schemaPath } from '../src/kit/schema-engine.ts';
import { openDatabase } from '../src/start-database.ts';

const [name, revision = 'HEAD'] = process.argv.slice(2);
if (!name) {
  console.error('A name is missing: npm run migration -- add_refunds');
  process.exit(1);
}

const toDatamodel = (content: string) => ({ tag: 'schemaDatamodel', files: [{ path: schemaPath, content }] });
const readEarlierSchema = () =>
  execFileSync('git', ['show', `${revision}:prisma/schema.prisma`], { encoding: 'utf8' });

const { connectionString, stop } = await openDatabase(readConfig(process.env), () => {});
const { stdout } = await diff().finally(stop);
const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = new URL(`../prisma/migrations/${timestamp}_${name}/`, import.meta.url);
await mkdir(folder, { recursive: true });
// Text is compared and sorted by bytes, independent of the database's collation.
const sql = (stdout ?? '').replace(/ TEXT(\[\])?(?=[ ,;\n])/g, ' TEXT$1 COLLATE "C"');
await writeFile(new URL('migration.sql', folder), sql);
console.log(`wrote ${folder.pathname}`);

async function diff(): Promise<{ stdout: string | null }> {
  const engine = await loadSchemaEngine(connectionString);
  try {
    return await engine.diff({
      from: revision === 'empty' ? { tag: 'empty' } : toDatamodel(readEarlierSchema()),
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
