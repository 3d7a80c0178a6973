import { migrate } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';

export const templateName = 'causeway_template';

export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Creates the migrated template, from which each test file clones its database. Called once per run with the
 * URL of a superuser.
 */
export async function createTemplate(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${templateName}`);
    await client.query(`CREATE DATABASE ${templateName}`);
  });
  await migrate(databaseUrl(adminUrl, templateName));
}
