import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { PrismaClient } from '../../prisma/client/client.ts';
import { toStatement } from './sent-statements.ts';

/**
 * With STATEMENTS=<an empty folder>, records each statement that the service sends during tests, once per
 * process, for test/query-plans.test.ts.
 */

/** A statement with the values of its first execution, and the file that sent it, if known. */
export type RecordedStatement = { text: string; values: unknown[]; sender?: string | undefined };

const folder = process.env.STATEMENTS as string;
const root = join(import.meta.dirname, '../..');

/** The call site that Prisma records, except for raw SQL. */
type Request = { callsite?: { _error?: Error } };
const rawCalls = ['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$executeRawUnsafe'] as const;
type RawCall = (...args: unknown[]) => PromiseLike<unknown>;
type Requests = Record<(typeof rawCalls)[number], RawCall> & {
  _request: (request: Request) => Promise<unknown>;
};

const calls = new AsyncLocalStorage<string | undefined>();

Error.stackTraceLimit = 100;
trackCallSites(PrismaClient.prototype as unknown as Requests);
recordStatements(folder);

/** Passes on the stack of the call, because Prisma sends statements later. */
function trackCallSites(client: Requests): void {
  const { _request: send } = client;
  client._request = function (this: unknown, request) {
    const stack = calls.getStore() ?? request.callsite?._error?.stack;
    return calls.run(stack, () => send.call(this as Requests, request));
  };
  for (const name of rawCalls) {
    const call = client[name];
    client[name] = function (this: unknown, ...args) {
      const { stack } = new Error();
      const promise = call.apply(this, args);
      const then = promise.then.bind(promise);
      return Object.assign(promise, {
        // biome-ignore lint/suspicious/noThenProperty: Prisma sends the statement when `then` is called.
        then: (...handlers: Parameters<typeof then>) => calls.run(stack, () => then(...handlers)),
      });
    };
  }
}

function recordStatements(to: string): void {
  const recordedTexts = new Set<string>();
  const file = join(to, `${process.pid}.jsonl`);
  const { query: queryPool } = pg.Pool.prototype;
  pg.Pool.prototype.query = function (this: pg.Pool, ...args: unknown[]) {
    return calls.run(new Error().stack, () => Reflect.apply(queryPool, this, args));
  } as typeof queryPool;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text, values } = toStatement(args);
    const sender = recordedTexts.has(text)
      ? undefined
      : findSender(`${calls.getStore() ?? ''}\n${new Error().stack}`);
    if (!recordedTexts.has(text) && !sender?.startsWith('test')) {
      recordedTexts.add(text);
      appendFileSync(file, `${toJson({ text, values, sender })}\n`);
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
}

/** Returns the first path of the project in a stack, relative to the root. */
function findSender(stack: string): string | undefined {
  const paths = [...stack.matchAll(/(?:file:\/\/|\(|at )(\/[^\s:()]+):\d+/g)].map(([, path]) =>
    relative(root, path!),
  );
  return paths.find((path) => /^(?:src|schema|test)\//.test(path) && !path.includes('record-statements'));
}

const toJson = (statement: RecordedStatement) =>
  JSON.stringify(statement, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
