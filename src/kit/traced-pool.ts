import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import type { Tracer } from './tracer.ts';

/**
 * A pool whose statements are spans, inside of what is traced already: sweeps that look each second for something to do
 * make none. A span tells the kind of statement and its table, never the text nor values.
 */
export function createTracedPool(config: pg.PoolConfig, tracer: Tracer): pg.Pool {
  class TracedClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's many ways to ask, handed on as they are.
    override query(...args: any[]): any {
      const runQuery = (queryArgs: unknown[]) =>
        (super.query as (...queryArgs: unknown[]) => unknown).apply(this, queryArgs);
      if (!tracer.hasActiveSpan()) return runQuery(args);
      const span = tracer.startSpan(summarizeQuery(args[0]), {
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql' },
      });
      const last = args.at(-1);
      if (typeof last === 'function') {
        const onResult = (error: Error | null, ...results: unknown[]) => {
          span.end(error ?? undefined);
          last(error, ...results);
        };
        return runQuery([...args.slice(0, -1), onResult]);
      }
      const result = runQuery(args);
      if (result instanceof Promise)
        result.then(
          () => span.end(),
          (error) => span.end(error),
        );
      else span.end();
      return result;
    }
  }

  class TracedPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    override connect(callback?: any): any {
      // Whoever waits for a connection goes on as part of its own span, not of that which gave it back.
      return callback ? super.connect(AsyncResource.bind(callback)) : super.connect();
    }
  }
  return new TracedPool({ ...config, Client: TracedClient });
}

/** Such as `SELECT charge`: the first word and the first table. */
function summarizeQuery(query: unknown): string {
  const text = typeof query === 'string' ? query : ((query as { text?: unknown })?.text ?? '');
  const sql = String(text).slice(0, 10_000);
  const verb = /[A-Za-z]+/.exec(sql)?.[0].toUpperCase() ?? 'SQL';
  const table = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?([a-z_]+)"?/i.exec(sql)?.[1];
  return table === undefined ? verb : `${verb} ${table.toLowerCase()}`;
}
