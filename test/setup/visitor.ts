import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import type { Json } from './graphql.ts';

export type VisitorAnswer = { status: number; data: Json; errors: Json; response: LightMyRequestResponse };

/** The settings' PUBLIC_URL in tests. */
export const homeOrigin = 'http://127.0.0.1:4000';

const signInMutation = `mutation ($input: SignInInput!) {
  signIn(input: $input) {
    __typename
    ... on SignInSuccess { viewer { user { email role } merchant { id mode } permissions } }
    ... on Error { code message }
  }
}`;

/** A browser that shows the dashboard: sends its origin, keeps its cookie. `address`: where it sits. */
export function makeVisitor(app: FastifyInstance, { address = '198.51.100.7' }: { address?: string } = {}) {
  let cookie: string | undefined;

  async function ask(
    query: string,
    options: { variables?: object; mode?: Mode; headers?: Record<string, string | undefined> } = {},
  ): Promise<VisitorAnswer> {
    const { variables, mode, headers } = options;
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      remoteAddress: address,
      headers: definedOnly({
        origin: homeOrigin,
        'content-type': 'application/json',
        cookie,
        'causeway-mode': mode,
        ...headers,
      }),
      payload: JSON.stringify({ query, variables }),
    });
    const [set] = [response.headers['set-cookie'] ?? []].flat();
    if (set !== undefined) cookie = set.split(';')[0];
    const isJson = String(response.headers['content-type']).includes('json');
    const { data, errors } = isJson ? response.json() : {};
    return { status: response.statusCode, data, errors, response };
  }

  return {
    ask,
    signIn: (
      email: string,
      password: string,
      { code, ...options }: Parameters<typeof ask>[1] & { code?: string } = {},
    ) => ask(signInMutation, { ...options, variables: { input: { email, password, code } } }),
    cookie: () => cookie,
  };
}

export type Visitor = ReturnType<typeof makeVisitor>;

function definedOnly(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    string
  >;
}
