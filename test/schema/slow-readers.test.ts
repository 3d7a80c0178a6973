import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { dropSlowReaders } from '../../schema/server/drop-slow-readers.ts';

const slowMs = 5_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watched connection of which both ends are at hand. */
async function connect() {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const sockets = new WebSocketServer({ server: http });
  const stop = dropSlowReaders(sockets, slowMs);
  const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
  const reader = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const opened = once(reader, 'open');
  const closed = new Promise<number>((resolve) => reader.once('close', resolve));
  const end = () => {
    stop();
    reader.terminate();
    sockets.close();
    http.close();
  };
  await opened;
  return { sender: await accepted, reader, closed, end };
}
const megabytes = (size: number) => Buffer.alloc(size * 1_048_576);

describe('a reader', () => {
  test('that takes nothing is closed with a code that says so', async () => {
    const { sender, reader, closed, end } = await connect();
    reader.pause();
    const isClosing = new Promise<void>((resolve) => sender.once('close', () => resolve()));
    sender.send(megabytes(32));
    const later = async () => {
      await vi.advanceTimersByTimeAsync(slowMs / 5);
      return sender.readyState;
    };
    await expect.poll(later).toBe(sender.CLOSING);
    // What had been sent before arrives, then why it ends.
    reader.resume();
    expect(await closed).toBe(1013);
    await isClosing;
    end();
  });

  test('that takes what it is sent stays, however long it goes on', async () => {
    const { sender, reader, end } = await connect();
    let received = 0;
    reader.on('message', () => received++);
    for (let i = 1; i <= 20; i++) {
      sender.send(megabytes(1));
      await vi.advanceTimersByTimeAsync(slowMs / 5);
      await expect.poll(() => received).toBe(i);
      await vi.advanceTimersByTimeAsync(slowMs);
    }
    expect(sender.readyState).toBe(sender.OPEN);
    end();
  });
});
