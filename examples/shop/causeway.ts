const { CAUSEWAY_URL = 'http://127.0.0.1:4000', API_KEY = '', API_SECRET = '' } = process.env;

export const causewayUrl = CAUSEWAY_URL;

// biome-ignore lint/suspicious/noExplicitAny: any result; a larger shop generates types from the schema.
type FieldResult = any;

/**
 * Requests one field of Causeway's GraphQL API and returns its result. Throws an error with the code and message that
 * Causeway returns. `idempotencyKey` makes a mutation safe to repeat.
 */
export async function causeway(query: string, variables = {}, idempotencyKey?: string): Promise<FieldResult> {
  const response = await fetch(`${CAUSEWAY_URL}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${API_KEY}:${API_SECRET}`).toString('base64')}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as FieldResult;
  if (errors) throw new Error(`${errors[0].extensions?.code}: ${errors[0].message}`);
  const [result] = Object.values(data) as FieldResult[];
  if (result.code) throw new Error(`${result.code}: ${result.message}`);
  return result;
}
