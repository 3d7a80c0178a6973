import type { FastifyInstance } from 'fastify';

/** A browser that uses `app.inject`: it keeps cookies and follows no redirect. */
export type InjectedBrowser = {
  get(url: string, headers?: Record<string, string>): Promise<PageResponse>;
  post(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>;
};

type PageResponse = {
  status: number;
  headers: Record<string, string | undefined>;
  location: string;
  text: string;
  main: string;
};

export function createPageVisitor(app: FastifyInstance, remoteAddress = '127.0.0.1'): InjectedBrowser {
  const cookies = new Map<string, string>();
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    body: string | undefined,
    extraHeaders: object,
  ) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...(cookie && { cookie }), ...form, ...extraHeaders };
    const payload = body !== undefined && { payload: body };
    const response = await app.inject({ method, url, headers, remoteAddress, ...payload });
    for (const { name, value } of response.cookies) cookies.set(name, value);
    return toPageResponse(response.statusCode, response.headers as Record<string, string>, response.body);
  };
  return {
    get: (url, headers = {}) => send('GET', url, undefined, headers),
    post: (url, form, headers = { 'sec-fetch-site': 'same-origin' }) =>
      send('POST', url, new URLSearchParams(form).toString(), headers),
  };
}

function toPageResponse(status: number, headers: PageResponse['headers'], text: string): PageResponse {
  const main = (/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return { status, headers, location: headers.location ?? '', text, main };
}
