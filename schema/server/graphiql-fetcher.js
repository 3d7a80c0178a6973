/**
 * The fetcher of GraphiQL: sends queries and mutations by POST and subscriptions over WebSocket, both with
 * the Authorization header of the headers editor. The file is embedded in the page as one expression.
 */
(() => {
  /**
   * Encodes a plain `key:secret` in the header as Basic credentials. Base64 contains no colon, so encoded
   * credentials are distinguishable.
   */
  function readHeaders(editorHeaders) {
    const headers = Object.entries(editorHeaders ?? {}).map(([name, value]) => {
      const plain = name.toLowerCase() === 'authorization' && /^basic\s+(\S+:\S+)$/i.exec(value);
      return [name.toLowerCase(), plain ? `Basic ${btoa(plain[1])}` : value];
    });
    return Object.fromEntries(headers);
  }

  function isSubscription(params, document) {
    const operations = document?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? [];
    const operation =
      operations.find(({ name }) => name?.value === params.operationName) ??
      (operations.length === 1 ? operations[0] : undefined);
    return operation?.operation === 'subscription';
  }

  async function post(params, headers) {
    const response = await fetch(location.pathname, {
      method: 'POST',
      // Otherwise the browser would show a password prompt on a 401 response.
      credentials: 'omit',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(params),
    });
    return response.json();
  }

  /**
   * Returns an observable of one subscription over the graphql-transport-ws protocol, as GraphiQL expects.
   */
  function createSubscription(params, headers) {
    const subscribe = (observer) => {
      const address = new URL(location.pathname, location.href.replace(/^http/, 'ws'));
      const socket = new WebSocket(address, 'graphql-transport-ws');
      const send = (message) => socket.send(JSON.stringify(message));
      let isOver = false;
      const end = (notify) => {
        if (isOver) return;
        isOver = true;
        notify?.();
        socket.close(1000);
      };
      const handlers = {
        connection_ack: () => send({ id: '1', type: 'subscribe', payload: params }),
        next: ({ payload }) => observer.next(payload),
        error: ({ payload }) => end(() => observer.next({ errors: payload })),
        complete: () => end(() => observer.complete()),
        ping: () => send({ type: 'pong' }),
      };
      socket.onopen = () =>
        send({ type: 'connection_init', payload: { authorization: headers.authorization } });
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        handlers[message.type]?.(message);
      };
      socket.onclose = ({ code, reason }) => end(() => observer.error(new Error(`${code} ${reason}`)));
      return { unsubscribe: () => end() };
    };
    return { subscribe };
  }

  /** Loads the schema without credentials, which it does not require. */
  async function loadSchema() {
    const response = await fetch('/schema.graphql', {
      credentials: 'omit',
      headers: { accept: 'application/json' },
    });
    return response.json();
  }

  return (params, options) => {
    if (params.operationName === 'IntrospectionQuery') return loadSchema();
    const headers = readHeaders(options?.headers);
    return isSubscription(params, options?.documentAST)
      ? createSubscription(params, headers)
      : post(params, headers);
  };
})();
