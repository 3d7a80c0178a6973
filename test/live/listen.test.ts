import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { formatNotice, noticeChannel } from '../../src/event/notice.ts';
import { createHub, wildcardTopic } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupDatabase } from '../setup/database.ts';

const onCleanup = cleanupAfterFile();

/** Notices between processes, over connections that break in every way there is. */

const { db, connectionString } = await setupDatabase(onCleanup);
const patience = { answerMsMax: 1_500 };
const within = { timeout: 20_000, interval: 10 };

/** A way to PostgreSQL that can fall silent: its connections stay open, and nothing comes through any more. */
async function startTunnel() {
  const sockets = new Set<net.Socket>();
  const target = new URL(connectionString);
  const server = net.createServer((socket) => {
    const onward = net.connect(Number(target.port), target.hostname);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => {});
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  // Not past the tunnel, by the socket of the file system.
  url.searchParams.delete('host');
  return {
    url: url.href,
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
      sockets.clear();
    },
  };
}

/** What a process hears: the ids that are told, and `missed` where it is to look for itself. */
async function startHearing(url: string) {
  const hub = createHub();
  const heard: string[] = [];
  hub.subscribe(wildcardTopic, (notice) => heard.push(notice?.objectId ?? 'missed'));
  const listener = await listen(url, hub, () => {}, { beatMs: 100, ...patience });
  onTestFinished(listener.stop);
  return { hub, heard };
}

const notice = (objectId: string) => formatNotice({ objectId, merchantId: 'mer_1', mode: 'live' });
const tell = (objectId: string) =>
  db.pool.query('SELECT pg_notify($1, $2)', [noticeChannel, notice(objectId)]);

test('a listener whose server has gone without a word finds that out, listens anew, and has everyone look for himself', async () => {
  const tunnel = await startTunnel();
  const { hub, heard } = await startHearing(tunnel.url);
  await tell('ch_1');
  await expect.poll(() => heard, within).toEqual(['missed', 'ch_1']);
  tunnel.fallSilent();
  await tell('ch_unheard');
  await expect.poll(() => heard, within).toEqual(['missed', 'ch_1', 'missed']);
  expect(hub.isConnected()).toBe(true);
  await tell('ch_2');
  await expect.poll(() => heard, within).toEqual(['missed', 'ch_1', 'missed', 'ch_2']);
});

test('an announcer whose server has gone without a word tells over another connection what it could not', async () => {
  const tunnel = await startTunnel();
  const { heard } = await startHearing(connectionString);
  const { announce, stop } = startAnnouncer(tunnel.url, () => {}, { ...patience, reconnectMs: 10 });
  onTestFinished(stop);
  announce(notice('ch_1'));
  await expect.poll(() => heard, within).toEqual(['missed', 'ch_1']);
  tunnel.fallSilent();
  announce(notice('ch_2'));
  announce(notice('ch_3'));
  await expect.poll(() => heard.slice(2), within).toEqual(['ch_2', 'ch_3']);
});

test('an announcer that is refused again and again keeps one connection at most', async () => {
  await db.pool.query(`CREATE SCHEMA refusing;
    CREATE FUNCTION refusing.pg_notify(text, text) RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'too many notifications in the NOTIFY queue'; END $$`);
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c search_path=refusing,pg_catalog');
  const errors: string[] = [];
  const onError = (error: Error) => errors.push(error.message);
  const { announce, stop } = startAnnouncer(url.href, onError, { reconnectMs: 10 });
  onTestFinished(stop);
  announce(notice('ch_1'));
  await expect.poll(() => errors.length, within).toBeGreaterThan(10);
  expect(new Set(errors)).toEqual(new Set(['too many notifications in the NOTIFY queue']));
  const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'causeway announce'`;
  await expect.poll(async () => (await db.pool.query(open)).rows.length, within).toBeLessThanOrEqual(1);
  const { heard } = await startHearing(connectionString);
  await db.pool.query('DROP SCHEMA refusing CASCADE');
  await expect.poll(() => heard, within).toEqual(['missed', 'ch_1']);
});

test('of more notices than are kept, one is told in place of all: whoever listens looks for himself', async () => {
  const { heard } = await startHearing(connectionString);
  const { announce, stop } = startAnnouncer(connectionString, () => {});
  onTestFinished(stop);
  for (let i = 0; i <= 10_000; i++) announce(notice(`ch_${i}`));
  announce(notice('ch_last'));
  await expect.poll(() => heard, within).toEqual(['missed', 'missed', 'ch_last']);
});
