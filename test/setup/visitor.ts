import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import { readDashboardDocuments } from '../../scripts/dashboard-documents.ts';
import type { Json } from './graphql.ts';

type VisitorAnswer = { status: number; data: Json; errors: Json; response: LightMyRequestResponse };

/** The settings' PUBLIC_URL in tests. */
export const homeOrigin = 'http://127.0.0.1:4000';

let documents: Map<string, string> | undefined;

/** The dashboard's document with an operation of this name: without a session a browser may run no other. */
export function pageDocument(operation: string): string {
  documents ??= new Map(
    readDashboardDocuments().map(({ text }) => [/^\w+ (\w+)/.exec(text)?.[1] ?? '', text] as const),
  );
  const document = documents.get(operation);
  if (document === undefined) throw new Error(`the dashboard has no operation ${operation}`);
  return document;
}

/** Calls a mutation as the dashboard's page does, with or without a session. */
export async function mutateAsPage(
  visitor: Pick<Visitor, 'ask'>,
  name: string,
  input: object,
): Promise<Json> {
  const operation = name.charAt(0).toUpperCase() + name.slice(1);
  const { data, errors } = await visitor.ask(pageDocument(operation), { variables: { input } });
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name];
}

/** A browser that shows the dashboard: sends its origin, keeps its cookie. `address`: where it sits. */
export function makeVisitor(app: FastifyInstance, { address = '198.51.100.7' }: { address?: string } = {}) {
  const jar = new Map<string, string>();

  function pairOf(name: 'session' | 'known'): string | undefined {
    return [...jar].find(([key]) => key.endsWith(`causeway-${name}`))?.join('=');
  }

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
        cookie: jar.size > 0 ? [...jar].map((pair) => pair.join('=')).join('; ') : undefined,
        'causeway-mode': mode,
        ...headers,
      }),
      payload: JSON.stringify({ query, variables }),
    });
    for (const set of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
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
    ) => ask(pageDocument('SignIn'), { ...options, variables: { input: { email, password, code } } }),
    /** That of the session. */
    cookie: () => pairOf('session'),
    /** That by which the browser is known once its session is over. */
    knownCookie: () => pairOf('known'),
  };
}

export type Visitor = ReturnType<typeof makeVisitor>;

function definedOnly(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    string
  >;
}
