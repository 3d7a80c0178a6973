import type { FastifyInstance } from 'fastify';

/** A browser as `app.inject` plays it, at a network address: it keeps its cookies and follows no redirect. */
export type PageVisitor = {
  get(url: string, headers?: Record<string, string>): Promise<Visit>;
  post(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Visit>;
};

type Visit = {
  status: number;
  headers: Record<string, string | undefined>;
  /** Of a redirect. */
  location: string;
  text: string;
  /** The text a reader sees in the page's main part. */
  main: string;
};

export function pageVisitor(app: FastifyInstance, remoteAddress = '127.0.0.1'): PageVisitor {
  const cookies = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', url: string, body: string | undefined, more: object) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...(cookie && { cookie }), ...form, ...more };
    const payload = body !== undefined && { payload: body };
    const answer = await app.inject({ method, url, headers, remoteAddress, ...payload });
    for (const { name, value } of answer.cookies) cookies.set(name, value);
    return toVisit(answer.statusCode, answer.headers as Record<string, string>, answer.body);
  };
  return {
    get: (url, headers = {}) => send('GET', url, undefined, headers),
    post: (url, form, headers = { 'sec-fetch-site': 'same-origin' }) =>
      send('POST', url, new URLSearchParams(form).toString(), headers),
  };
}

function toVisit(status: number, headers: Visit['headers'], text: string): Visit {
  const main = (/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return { status, headers, location: headers.location ?? '', text, main };
}
