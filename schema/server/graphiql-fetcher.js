/**
 * How GraphiQL talks to this service: queries and mutations by POST, subscriptions over WebSocket, both with the
 * Authorization of the headers editor. It stands in the page as one expression.
 */
(() => {
  /** A key and its secret may stand plainly in the header. Base64 has no colon, so they are told apart. */
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
      // Without this, a refusal would make the browser ask for a password.
      credentials: 'omit',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(params),
    });
    return response.json();
  }

  /** An observable, as GraphiQL takes it, of one subscription over the protocol graphql-transport-ws. */
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

  /** The schema needs no credentials, whatever the headers editor holds. */
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
