import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The log: JSON lines on standard error, apart from what the service says to the person at the terminal. Of a request
 * it keeps method and path; the query and the headers may hold tokens, and are left out. So is the token in the path of
 * a customer's page.
 */
export function makeLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  const serializers = {
    err: pino.stdSerializers.err,
    req: (request: { method: string; url: string; id: unknown }) => ({
      method: request.method,
      path: request.url.split('?')[0]?.replace(/^(\/pay\/[^/]+\/)[^/]+/, '$1…'),
    }),
    res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  };
  return pino({ level, serializers }, destination);
}
