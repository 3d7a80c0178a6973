import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

type DevtoolsProxy = { port: number; [Symbol.dispose](): void };

/** A trace category that none of the audits needs. The Chromium of the tests aborts when it traces this category. */
const unsupportedCategory = /,blink\.webdx_feature_usage/g;

/** Proxies a browser's debugging port. Removes from the messages the category that the browser cannot trace. */
export async function proxyDevtools(browserPort: number): Promise<DevtoolsProxy> {
  const server = createServer(async (request, response) => {
    const upstream = await fetch(`http://127.0.0.1:${browserPort}${request.url}`, {
      method: request.method!,
    });
    const text = (await upstream.text()).replaceAll(`:${browserPort}`, `:${getPort()}`);
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(text);
  });
  const getPort = () => (server.address() as AddressInfo).port;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client, request) => {
    const browser = new WebSocket(`ws://127.0.0.1:${browserPort}${request.url}`, { maxPayload: 0 });
    const queuedMessages: string[] = [];
    client.on('message', (data) => {
      const text = toText(data).replace(unsupportedCategory, '');
      if (browser.readyState === WebSocket.OPEN) browser.send(text);
      else queuedMessages.push(text);
    });
    browser.on('open', () => {
      for (const text of queuedMessages.splice(0)) browser.send(text);
    });
    browser.on('message', (data) => client.send(toText(data)));
    browser.on('close', () => client.close());
    client.on('close', () => browser.close());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: getPort(),
    [Symbol.dispose]() {
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  };
}

function toText(data: RawData): string {
  return data.toString();
}
