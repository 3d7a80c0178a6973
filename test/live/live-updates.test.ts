import net from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { findApiKey } from '../../src/domain/accounts/api-key/authenticate-key.ts';
import { authenticatePublishableKey } from '../../src/domain/accounts/api-key/authenticate-publishable-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { setMerchantEnabled } from '../../src/domain/accounts/merchant/set-merchant-enabled.ts';
import { getActiveAccounts } from '../../src/domain/accounts/receiving-account/get-active-accounts.ts';
import { getRate } from '../../src/domain/platform/forex/get-rate.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { formatNotice, noticeChannel } from '../../src/event/notice.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { Db } from '../../src/kit/db.ts';
import { assertNoticesArrive } from '../../src/live/assert-notices-arrive.ts';
import { coalesceRead } from '../../src/live/coalesce-read.ts';
import { createHub, wildcardTopic } from '../../src/live/hub.ts';
import { listen } from '../../src/live/listen.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { seedCaller } from '../setup/callers.ts';
import { setupDatabase } from '../setup/database.ts';
import { fileTest } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

type Database = {
  db: Db;
  connectionString: string;
};

const noticesBetweenTest = fileTest.extend('database', { scope: 'file' }, async ({ onFileCleanup }) => {
  const database = {} as Database;
  Object.assign(database, await setupDatabase(onFileCleanup));
  return database;
});

describe('Notices between processes', () => {
  const test = noticesBetweenTest;

  const patience = { responseMsMax: 1_500 };
  const within = { timeout: 20_000, interval: 10 };

  /** Starts a tunnel to PostgreSQL that can stop forwarding data while connections stay open. */
  async function startTunnel(database: Database) {
    const sockets = new Set<net.Socket>();
    const target = new URL(database.connectionString);
    const server = net.createServer((socket) => {
      const onward = net.connect(Number(target.port), target.hostname);
      for (const stream of [socket, onward]) {
        sockets.add(stream);
        stream.on('error', () => {});
      }
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const url = new URL(database.connectionString);
    url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    // A Unix socket would bypass the tunnel.
    url.searchParams.delete('host');
    return {
      url: url.href,
      goSilent() {
        for (const socket of sockets) socket.unpipe().pause();
        sockets.clear();
      },
    };
  }

  /** Collects received IDs, and `missed` when subscribers must read again. */
  async function startListening(url: string) {
    const hub = createHub();
    const received: string[] = [];
    hub.subscribe(wildcardTopic, (notice) => received.push(notice?.objectId ?? 'missed'));
    const listener = await listen(url, hub, () => {}, { heartbeatMs: 100, ...patience });
    onTestFinished(listener.stop);
    return { hub, received };
  }

  const notice = (objectId: string) => formatNotice({ objectId, merchantId: 'mer_1', mode: 'live' });
  const notify = (database: Database, objectId: string) =>
    database.db.pool.query('SELECT pg_notify($1, $2)', [noticeChannel, notice(objectId)]);

  test('reconnect after a silent loss of the server, and make every subscriber read again', async ({
    database,
  }) => {
    const tunnel = await startTunnel(database);
    const { hub, received } = await startListening(tunnel.url);
    await notify(database, 'ch_1');
    await expect.poll(() => received, within).toEqual(['missed', 'ch_1']);
    tunnel.goSilent();
    await notify(database, 'ch_unreceived');
    await expect.poll(() => received, within).toEqual(['missed', 'ch_1', 'missed']);
    expect(hub.isConnected()).toBe(true);
    await notify(database, 'ch_2');
    await expect.poll(() => received, within).toEqual(['missed', 'ch_1', 'missed', 'ch_2']);
  });

  test('are sent over another connection after a silent loss of the server', async ({ database }) => {
    const tunnel = await startTunnel(database);
    const { received } = await startListening(database.connectionString);
    const { announce, stop } = startAnnouncer(tunnel.url, () => {}, { ...patience, reconnectMs: 10 });
    onTestFinished(stop);
    announce(notice('ch_1'));
    await expect.poll(() => received, within).toEqual(['missed', 'ch_1']);
    tunnel.goSilent();
    announce(notice('ch_2'));
    announce(notice('ch_3'));
    // The first notice is sent again if its response was lost.
    const isNew = (objectId: string) => objectId !== 'ch_1';
    await expect.poll(() => received.slice(2).filter(isNew), within).toEqual(['ch_2', 'ch_3']);
  });

  test('use at most one connection when sending fails repeatedly', async ({ database }) => {
    await database.db.pool.query(`CREATE SCHEMA refusing;
    CREATE FUNCTION refusing.pg_notify(text, text) RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'too many notifications in the NOTIFY queue'; END $$`);
    const url = new URL(database.connectionString);
    url.searchParams.set('options', '-c search_path=refusing,pg_catalog');
    const errors: string[] = [];
    const onError = (error: Error) => errors.push(error.message);
    const { announce, stop } = startAnnouncer(url.href, onError, { reconnectMs: 10 });
    onTestFinished(stop);
    announce(notice('ch_1'));
    await expect.poll(() => errors.length, within).toBeGreaterThan(10);
    expect(new Set(errors)).toEqual(new Set(['too many notifications in the NOTIFY queue']));
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'causeway announce'`;
    await expect
      .poll(async () => (await database.db.pool.query(open)).rows.length, within)
      .toBeLessThanOrEqual(1);
    const { received } = await startListening(database.connectionString);
    await database.db.pool.query('DROP SCHEMA refusing CASCADE');
    await expect.poll(() => received, within).toEqual(['missed', 'ch_1']);
  });

  test('are tried at start, which fails if they do not arrive', async ({ database }) => {
    const options = { timeoutMs: 300 };
    const { hub } = await startListening(database.connectionString);
    await assertNoticesArrive(database.db.pool, hub);
    const { db: otherDatabase } = await setupDatabase(onTestFinished);
    await expect(assertNoticesArrive(otherDatabase.pool, hub, options)).rejects.toThrow(
      /^DATABASE_DIRECT_URL: notifications sent through DATABASE_URL do not arrive/,
    );
  });

  test('are replaced by one when the queue is full, so that subscribers read again', async ({ database }) => {
    const { received } = await startListening(database.connectionString);
    const { announce, stop } = startAnnouncer(database.connectionString, () => {});
    onTestFinished(stop);
    for (let i = 0; i <= 10_000; i++) announce(notice(`ch_${i}`));
    announce(notice('ch_last'));
    await expect.poll(() => received, within).toEqual(['missed', 'missed', 'ch_last']);
  });
});

type CachedApp = {
  app: TestApp;
  merchant: NewMerchant;
};

const readCacheTest = fileTest.extend('cached', { scope: 'file' }, async ({ onFileCleanup }) => {
  const cached = {} as CachedApp;
  cached.app = await setupApp(onFileCleanup, { cachesReads: true });
  cached.merchant = await seedMerchant(cached.app.context.service);
  return cached;
});

describe('Read cache', () => {
  const test = readCacheTest;

  /** Another process, whose changes are announced by the database only. */
  const otherProcess = (cached: CachedApp) => cached.app.context.service.prisma;
  const readMerchant = async (cached: CachedApp, keys = cached.merchant.keys.live) =>
    (await callApi(cached.app.app, { method: 'GET', url: '/charges', keys })).status;
  const owner = (cached: CachedApp) => ({ merchantId: cached.merchant.merchant.id, mode: 'live' as const });

  /** Reads until the result is cached, because earlier notices may still arrive. */
  async function readUntilCached<T>(find: () => Promise<T>): Promise<T> {
    let before = await find();
    const isSame = async () => {
      const last = before;
      before = await find();
      return last === before;
    };
    await expect.poll(isSame).toBe(true);
    return before;
  }

  describe('a key that is in use', () => {
    test.for([
      [
        'with a secret',
        (cached: CachedApp) => findApiKey(cached.app.context.service, cached.merchant.keys.live.apiKey),
      ],
      [
        'to start a checkout',
        (cached: CachedApp) =>
          authenticatePublishableKey(
            cached.app.context.service,
            cached.merchant.keys.live.publishableKey,
            new Date(),
          ),
      ],
    ] as const)('%s is not read again', async ([_kind, find], { cached }) => {
      expect(await readUntilCached(() => find(cached))).not.toBeNull();
    });

    test('is rejected from the next request on when this process revokes it', async ({ cached }) => {
      const merchant = await seedMerchant(cached.app.context.service);
      expect(await readMerchant(cached, merchant.keys.live)).toBe(200);
      const { id } = await otherProcess(cached).apiKey.findUniqueOrThrow({
        where: { key: merchant.keys.live.apiKey },
      });
      const now = new Date();
      const caller = await seedCaller(cached.app.context.service, merchant, { now });
      await revokeApiKey(cached.app.context.service, { caller, id, now });
      expect(await readMerchant(cached, merchant.keys.live)).toBe(401);
    });

    test('is rejected soon after another process revokes it', async ({ cached }) => {
      const merchant = await seedMerchant(cached.app.context.service);
      expect(await readMerchant(cached, merchant.keys.live)).toBe(200);
      await otherProcess(cached).apiKey.updateMany({
        where: { key: merchant.keys.live.apiKey },
        data: { revokedAt: new Date() },
      });
      await expect.poll(() => readMerchant(cached, merchant.keys.live)).toBe(401);
    });

    test('is returned with the current state of its merchant', async ({ cached }) => {
      const merchant = await seedMerchant(cached.app.context.service);
      expect(await readMerchant(cached, merchant.keys.live)).toBe(200);
      const change = { merchantId: merchant.merchant.id, actor: 'operator', now: new Date() };
      await setMerchantEnabled(cached.app.context.service, { ...change, isEnabled: false });
      expect(await readMerchant(cached, merchant.keys.live)).toBe(403);
      await setMerchantEnabled(cached.app.context.service, { ...change, isEnabled: true });
      expect(await readMerchant(cached, merchant.keys.live)).toBe(200);
    });
  });

  test('returns current accounts and rates soon after another process changed them', async ({ cached }) => {
    const { service } = cached.app.context;
    const accounts = () => getActiveAccounts(service, { ...owner(cached), method: 'fps' });
    const account = await readUntilCached(async () => (await accounts())[0]);
    await otherProcess(cached).receivingAccount.update({
      where: { id: account.id },
      data: { holder: 'Another Name' },
    });
    await expect.poll(async () => (await accounts())[0].holder).toBe('Another Name');
    const rate = async () => {
      const terms = { merchant: cached.merchant.merchant, mode: 'live' as const, now: new Date() };
      return (await getRate(service, { ...terms, from: 'EUR', to: 'HKD' })).source;
    };
    expect(await rate()).not.toContain('manual');
    const asOf = new Date(Date.now() + 60_000);
    const quote = { source: 'manual', currency: 'HKD', base: 'EUR', rate: '8.5', asOf, updatedAt: asOf };
    await otherProcess(cached).forexRate.create({ data: quote });
    await expect.poll(rate).toContain('manual');
  });

  test('is neither read nor filled by a transaction', async ({ cached }) => {
    const { service } = cached.app.context;
    const accounts = (prisma = service.prisma) =>
      getActiveAccounts({ ...service, prisma }, { ...owner(cached), method: 'paynow' });
    const [before] = await accounts();
    const rolledBack = transact(service, async ({ tx }) => {
      await tx.receivingAccount.update({ where: { id: before.id }, data: { holder: 'Not yet' } });
      const [within] = await accounts(tx as typeof service.prisma);
      expect(within.holder).toBe('Not yet');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect((await accounts())[0].holder).toBe(before.holder);
  });

  test('is not used while the process receives no notices', async ({ cached }) => {
    const { service, hub } = cached.app.context;
    const find = () => findApiKey(service, cached.merchant.keys.live.apiKey);
    const first = await readUntilCached(find);
    hub.markDisconnected();
    const second = await find();
    expect(second).not.toBe(first);
    expect(await find()).not.toBe(second);
    hub.resync();
  });
});

describe('coalesceRead', () => {
  const test = fileTest;

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Creates a source that counts its reads, which the test ends. */
  function createSource() {
    const state = { value: 'old', reads: 0, end: () => {} };
    const read = () => {
      const { value } = state;
      state.reads++;
      return new Promise<string>((resolve) => {
        state.end = () => resolve(value);
      });
    };
    return { state, read };
  }

  test('reads once for each key and all calls of one turn, after that turn', async () => {
    const { state, read } = createSource();
    const reads = [1, 2, 3].map(() => coalesceRead(state, 'charge', read));
    const other = coalesceRead(state, 'refund', async () => 'another');
    // Changes of the same turn are visible.
    state.value = 'new';
    await turn();
    await turn();
    state.end();
    expect(await Promise.all(reads)).toEqual(['new', 'new', 'new']);
    expect(await other).toBe('another');
    expect(state.reads).toBe(1);
  });

  test('reads again for a call during a read', async () => {
    const { state, read } = createSource();
    const before = coalesceRead(state, 'charge', read);
    await turn();
    await turn();
    const endFirst = state.end;
    state.value = 'new';
    const after = coalesceRead(state, 'charge', read);
    await turn();
    await turn();
    state.end();
    endFirst();
    expect([await before, await after]).toEqual(['old', 'new']);
  });

  test('rejects only the calls that share a failed read', async () => {
    const { state } = createSource();
    const fail = () => Promise.reject(new Error('away'));
    const reads = [coalesceRead(state, 'charge', fail), coalesceRead(state, 'charge', fail)];
    for (const failedRead of reads) await expect(failedRead).rejects.toThrow('away');
    expect(await coalesceRead(state, 'charge', async () => 'back')).toBe('back');
  });
});

describe('Streams', () => {
  const test = fileTest;

  const notice = (objectId: string) => ({ objectId, merchantId: 'mer_1', mode: 'live' as const });

  describe('of an object', () => {
    test('start with the current state, and continue with the state after each change', async () => {
      const hub = createHub();
      let state = 'pending';
      const states = watchObject(hub, { topic: 'ch_1', read: async () => state });
      expect((await states.next()).value).toBe('pending');
      state = 'completed';
      hub.publish(notice('ch_1'));
      expect((await states.next()).value).toBe('completed');
      await states.return(undefined);
    });

    test('miss no change between subscribing and reading', async () => {
      const hub = createHub();
      let state = 1;
      const read = async () => {
        const readState = state;
        if (state === 1) {
          state = 2;
          hub.publish(notice('ch_1'));
        }
        return readState;
      };
      const states = watchObject(hub, { topic: 'ch_1', read });
      expect([(await states.next()).value, (await states.next()).value]).toEqual([1, 2]);
      await states.return(undefined);
    });

    test('read again after a gap in the connection', async () => {
      const hub = createHub();
      let reads = 0;
      const states = watchObject(hub, { topic: 'ch_1', read: async () => ++reads });
      await states.next();
      hub.resync();
      expect((await states.next()).value).toBe(2);
      await states.return(undefined);
    });

    test('merge changes while the reader is busy', async () => {
      const hub = createHub();
      let reads = 0;
      const states = watchObject(hub, { topic: 'ch_1', read: async () => ++reads });
      await states.next();
      for (let i = 0; i < 1_000; i++) hub.publish(notice('ch_1'));
      await states.next();
      const third = states.next();
      hub.publish(notice('ch_1'));
      await third;
      expect(reads).toBe(3);
      await states.return(undefined);
    });

    test('end when aborted, also while waiting', async () => {
      const hub = createHub();
      const abort = new AbortController();
      const states = watchObject(hub, { topic: 'ch_1', read: async () => 1, signal: abort.signal });
      await states.next();
      const waiting = states.next();
      abort.abort();
      expect((await waiting).done).toBe(true);
    });
  });

  test('end when the process stops', async () => {
    const hub = createHub();
    const states = watchObject(hub, { topic: 'ch_1', read: async () => 1 });
    await states.next();
    const waiting = states.next();
    hub.close();
    expect((await waiting).done).toBe(true);
  });

  test('of a topic end when they are closed while waiting', async () => {
    const hub = createHub();
    const changes = watchTopic(hub, { topic: 'mer_1 live' });
    const waiting = changes.next();
    await changes.return(undefined);
    expect((await waiting).done).toBe(true);
  });

  test('report a gap to a slow reader without a growing queue', async () => {
    const hub = createHub();
    const changes = watchTopic(hub, { topic: 'mer_1 live' });
    for (let i = 0; i < 1_000; i++) hub.publish(notice(`ch_${i}`));
    expect((await changes.next()).value?.size).toBe(1_000);
    for (let i = 0; i < 5_000; i++) hub.publish(notice(`ch_${i}`));
    expect((await changes.next()).value).toBeNull();
    hub.publish(notice('ch_1'));
    expect((await changes.next()).value).toEqual(new Set(['ch_1']));
    await changes.return(undefined);
  });
});
