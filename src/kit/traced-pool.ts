import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import type { Tracer } from './tracer.ts';

/**
 * Creates a pool that records a span for each statement inside an active span. Statements outside of a span are not
 * traced. A span contains the verb and the table, never the text or values.
 */
export function createTracedPool(config: pg.PoolConfig, tracer: Tracer): pg.Pool {
  class TracedClient extends DatabaseClient {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's many overloads are passed on unchanged.
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
      // Runs the callback in the span of the waiting caller, instead of the span that released the connection.
      return callback ? super.connect(AsyncResource.bind(callback)) : super.connect();
    }
  }
  return new TracedPool({ ...config, Client: TracedClient });
}

/** Returns the verb and the first table, such as `SELECT charge`. */
function summarizeQuery(query: unknown): string {
  const text = typeof query === 'string' ? query : ((query as { text?: unknown })?.text ?? '');
  const sql = String(text).slice(0, 10_000);
  const verb = /[A-Za-z]+/.exec(sql)?.[0].toUpperCase() ?? 'SQL';
  const table = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?([a-z_]+)"?/i.exec(sql)?.[1];
  return table === undefined ? verb : `${verb} ${table.toLowerCase()}`;
}
