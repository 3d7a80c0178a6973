import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

export type DevtoolsProxy = { port: number; [Symbol.dispose](): void };

/** The Chromium of the npm package breaks off when it traces this, which no figure of ours is made from. */
const untraceable = /,blink\.webdx_feature_usage/g;

/** Stands before a browser's debugging port, and leaves out of what is traced what it cannot trace. */
export async function proxyDevtools(browserPort: number): Promise<DevtoolsProxy> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`http://127.0.0.1:${browserPort}${request.url}`, { method: request.method! });
    const text = (await answer.text()).replaceAll(`:${browserPort}`, `:${portOf()}`);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  const portOf = () => (server.address() as AddressInfo).port;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client, request) => {
    const browser = new WebSocket(`ws://127.0.0.1:${browserPort}${request.url}`, { maxPayload: 0 });
    const waiting: string[] = [];
    client.on('message', (data) => {
      const text = textOf(data).replace(untraceable, '');
      if (browser.readyState === WebSocket.OPEN) browser.send(text);
      else waiting.push(text);
    });
    browser.on('open', () => {
      for (const text of waiting.splice(0)) browser.send(text);
    });
    browser.on('message', (data) => client.send(textOf(data)));
    browser.on('close', () => client.close());
    client.on('close', () => browser.close());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(),
    [Symbol.dispose]() {
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  };
}

function textOf(data: RawData): string {
  return data.toString();
}
