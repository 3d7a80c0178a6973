import { withClient } from '../../src/kit/with-client.ts';

/** Returns the first value of a statement’s result, on a new connection. */
export function queryValue(connectionString: string, sql: string): Promise<unknown> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  });
}
