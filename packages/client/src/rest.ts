import { apiVersion } from './generated/catalog.ts';
import type { Pagination, RestOperations } from './generated/rest.ts';
import { createKey } from './graphql.ts';
import { iteratePages } from './pages.ts';
import { type HttpRequest, type RequestOptions, readJson, type Transport } from './transport.ts';

type OperationId = keyof RestOperations;
export type Query<Id extends OperationId> = RestOperations[Id] extends { query: infer Value }
  ? Value
  : object;
export type Body<Id extends OperationId> = RestOperations[Id] extends { body: infer Value }
  ? Value
  : undefined;
type Result<Id extends OperationId> = RestOperations[Id]['response'];

/** The type of the objects in a list. */
type Item<Id extends OperationId, Name extends string> =
  Result<Id> extends Record<Name, (infer One)[]> ? One & { id: string } : never;

export type CallOptions = RequestOptions;

export type CreateOptions = CallOptions & {
  /** The key under which the request is executed once. By default, a new key, which all retries of the call share. */
  idempotencyKey?: string | undefined;
};

/** A transfer as your bank reported it. */
export type NewTransfer = {
  /** The bank's own reference, the same whenever the transfer is reported again. */
  id: string;
  /** The receiving account; alternatively, `method` and `account`. */
  receivingAccountId?: string | undefined;
  method?: string | undefined;
  account?: string | undefined;
  amount: number;
  currency: string;
  reference: string;
  payerName?: string | undefined;
  /** The time in ISO 8601, or only the date. */
  paidAt: string;
  direction?: 'credit' | 'debit' | undefined;
};

type PlainRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body' | 'onAttempt'>;

/** Sends REST requests. The first parameter of a method only determines the types. */
export class Rest {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get<Id extends OperationId>(_: Id, path: string, query: Query<Id>, options?: CallOptions) {
    return this.#send<Result<Id>>({ method: 'GET', path: addQuery(path, query) }, options);
  }

  post<Id extends OperationId>(_: Id, path: string, body: Body<Id>, options?: CreateOptions) {
    const key = createKey(options?.idempotencyKey)!;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { 'idempotency-key': key, ...type };
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.#send<Result<Id>>({ method: 'POST', path, headers, body: json }, options);
  }

  put<Id extends OperationId>(
    _: Id,
    path: string,
    body: Uint8Array<ArrayBuffer>,
    query: Query<Id>,
    options?: CallOptions,
  ) {
    const headers = { 'content-type': 'application/octet-stream' };
    return this.#send<Result<Id>>({ method: 'PUT', path: addQuery(path, query), headers, body }, options);
  }

  patch<Id extends OperationId>(_: Id, path: string, options: CallOptions & Pick<HttpRequest, 'onAttempt'>) {
    return this.#send<Result<Id>>({ method: 'PATCH', path, onAttempt: options.onAttempt }, options);
  }

  /** Iterates over all pages from `query.page` on. */
  list<Id extends OperationId, Name extends string>(
    id: Id,
    path: string,
    name: Name,
    query: Query<Id> & { page?: number | undefined; limit?: number | undefined },
    options?: CallOptions,
  ): AsyncGenerator<Item<Id, Name>, void, undefined> {
    const readPage = async (page: number) => {
      const body = (await this.get(id, path, { limit: 50, ...query, page }, options)) as {
        pagination: Pagination;
      } & Record<Name, Item<Id, Name>[]>;
      return { items: body[name], pagination: body.pagination };
    };
    return iteratePages(readPage, query.page ?? 1);
  }

  /** Reads a file into memory. */
  async download(path: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    const request = { method: 'GET', path, headers: { 'causeway-version': apiVersion } } as const;
    const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    return this.#transport.send({ ...request, isRepeatable: true, signal: options?.signal }, readBytes);
  }

  #send<Body>(request: PlainRequest, options?: CallOptions): Promise<Body> {
    const headers = { accept: 'application/json', 'causeway-version': apiVersion, ...request.headers };
    const complete = { ...request, headers, isRepeatable: true, signal: options?.signal };
    return this.#transport.send(complete, (response) => readResult<Body>(response));
  }
}

/** The hash of a charge is the only result in plain text. */
async function readResult<Body>(response: Response): Promise<Body> {
  const isText = response.headers.get('content-type')?.startsWith('text/plain');
  return isText ? ((await response.text()) as Body) : readJson<Body>(response);
}

function addQuery(path: string, query: unknown): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) params.append(name, String(value));
  return params.size > 0 ? `${path}?${params}` : path;
}
