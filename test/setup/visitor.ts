import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Mode } from '../../prisma/client/client.ts';
import { readDashboardDocuments } from '../../scripts/dashboard-documents.ts';
import type { Json } from './graphql.ts';

type VisitorResponse = { status: number; data: Json; errors: Json; response: LightMyRequestResponse };

/** The PUBLIC_URL of tests. */
export const publicOrigin = 'http://127.0.0.1:4000';

const documents = new Map<string, string>();

/** Returns the dashboard’s document of an operation; browsers without a session may execute no others. */
export function getDashboardDocument(operation: string): string {
  if (documents.size === 0)
    for (const { text } of readDashboardDocuments()) documents.set(/^\w+ (\w+)/.exec(text)?.[1] ?? '', text);
  const document = documents.get(operation);
  if (document === undefined) throw new Error(`the dashboard has no operation ${operation}`);
  return document;
}

/** Uses the document of the dashboard, which visitors may execute with or without a session. */
export async function mutateAsPage(
  visitor: Pick<Visitor, 'ask'>,
  name: string,
  input: object,
): Promise<Json> {
  const operation = name.charAt(0).toUpperCase() + name.slice(1);
  const { data, errors } = await visitor.ask(getDashboardDocument(operation), { variables: { input } });
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name];
}

/** Creates a browser with the dashboard, which sends its origin and keeps its cookies. `address` is its IP address. */
export function createVisitor(app: FastifyInstance, { address = '198.51.100.7' }: { address?: string } = {}) {
  const cookies = new Map<string, string>();

  function findCookie(name: 'session' | 'trusted'): string | undefined {
    return [...cookies].find(([key]) => key.endsWith(`causeway-${name}`))?.join('=');
  }

  async function ask(
    query: string,
    options: { variables?: object; mode?: Mode; headers?: Record<string, string | undefined> } = {},
  ): Promise<VisitorResponse> {
    const { variables, mode, headers } = options;
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      remoteAddress: address,
      headers: omitUndefined({
        origin: publicOrigin,
        'content-type': 'application/json',
        cookie: cookies.size > 0 ? [...cookies].map((pair) => pair.join('=')).join('; ') : undefined,
        'causeway-mode': mode,
        ...headers,
      }),
      payload: JSON.stringify({ query, variables }),
    });
    for (const setCookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      cookies.set(name, value);
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
    ) => ask(getDashboardDocument('SignIn'), { ...options, variables: { input: { email, password, code } } }),
    cookie: () => findCookie('session'),
    /** Returns the cookie that identifies a trusted browser after its session. */
    trustedBrowserCookie: () => findCookie('trusted'),
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

function omitUndefined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    string
  >;
}
