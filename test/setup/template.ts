import { migrate } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';

export const templateName = 'causeway_template';

/** The same server, another database. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Called once a run, before the first test file, with the address of PostgreSQL's superuser: makes the migrated
 * template from which each test file clones its own database.
 */
export async function prepareTemplate(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${templateName}`);
    await client.query(`CREATE DATABASE ${templateName}`);
  });
  await migrate(databaseUrl(adminUrl, templateName));
}
