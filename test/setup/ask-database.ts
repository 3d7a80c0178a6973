import { withClient } from '../../src/kit/with-client.ts';

/** The first value that a statement answers, on a connection of its own. */
export function askDatabase(connectionString: string, sql: string): Promise<unknown> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  });
}
