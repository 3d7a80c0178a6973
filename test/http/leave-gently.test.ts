import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { stopListening } from '../../src/http/drain-connections.ts';

/** A server, and a client whose connection stands in the system's queue: the server has not had a turn since. */
async function withOneWaiting() {
  const server = http.createServer((_request, response) => void response.end('answered'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n');
  const told = Array.fromAsync(socket).then(
    (parts) => Buffer.concat(parts).toString(),
    (error: NodeJS.ErrnoException) => error.code,
  );
  // By then the client has connected.
  await new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));
  return { server, told };
}

test('a server that stops listening answers those who have connected, and takes no others', async () => {
  const { server, told } = await withOneWaiting();
  const { port } = server.address() as AddressInfo;
  const { ended } = await stopListening(server);
  await expect(once(net.connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  expect(await told).toContain('answered');
  await ended;
});

test('closed at once it would have answered them by a reset', async () => {
  const { server, told } = await withOneWaiting();
  server.close();
  expect(await told).toBe('ECONNRESET');
});
