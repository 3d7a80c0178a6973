import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { BankFeed, Charge } from '../../../prisma/client/client.ts';
import { createBankFeed } from '../../../src/domain/money-in/feed/create-bank-feed.ts';
import { updateBankFeed } from '../../../src/domain/money-in/feed/update-bank-feed.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { openSftp } from '../../../src/feed/pull/open-sftp.ts';
import { minuteMs } from '../../../src/kit/duration.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { readDeliveries } from '../../setup/feeds.ts';
import { clockTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import {
  finishImports,
  pollDueFeeds,
  pollTwice,
  readFeed,
  reportInStatement,
  vndCharge,
} from '../../setup/pull-feeds.ts';
import { noon, readChargeStatus, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { sftpClientKey, sftpLogin, startSftpServer } from '../../setup/sftp-server.ts';
import { createTempDir } from '../../setup/temp-dir.ts';

const bankAccount = '0123499999';
const mtime = noon.getTime() / 1000;

const test = clockTest
  .extend('service', { scope: 'file' }, ({ onFileCleanup }) => setupService(onFileCleanup))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
  .extend('server', ({}, { onCleanup }) => startSftpServer(onCleanup))
  .extend('merchant', ({ service }) => seedMerchant(service))
  .extend('charge', ({ service, merchant }) => seedCharge(service, merchant, { input: vndCharge }))
  .extend('feed', ({ service, merchant, charge, server }) =>
    createBankFeed(service, {
      ...{ merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon },
      input: {
        kind: 'sftp',
        receivingAccounts: [{ receivingAccountId: charge.receivingAccountId, bankAccount }],
        credentials: { username: sftpLogin.username, key: sftpLogin.password },
        pull: { host: '127.0.0.1', port: server.port, folder: '/out', patterns: ['*'], archivesFiles: true },
      },
    }),
  );

const update = (service: Service, { id, merchantId, mode }: BankFeed, input: object) =>
  updateBankFeed(service, { ...{ id, merchantId, mode, actor: 'user:test', now: noon }, input });

const readPresentedKey = async (service: Service, feed: BankFeed) =>
  ((await readFeed(service, feed)).pollState as { presentedHostKeyFingerprint?: string })
    .presentedHostKeyFingerprint;

async function approveHostKey(service: Service, feed: BankFeed): Promise<string> {
  const hostKeyFingerprint = (await readPresentedKey(service, feed))!;
  await update(service, feed, { pull: { hostKeyFingerprint } });
  return hostKeyFingerprint;
}

const report = (charge: Charge, id = '1') =>
  Buffer.from(reportInStatement(charge, { account: bankAccount, paidAt: noon, id }));

describe('An SFTP feed', () => {
  test('asks for the approval of the host key before it logs in, and then imports and archives files', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    server.files.set('/out/camt.xml', { data: report(charge), mtime });
    await pollDueFeeds(service, clock);
    const failing = await readFeed(service, feed);
    expect(failing).toMatchObject({ status: 'failing', lastError: /^host_key_unapproved: SHA256:/ });
    expect(server.loginCount).toBe(0);
    expect(await approveHostKey(service, feed)).toMatch(/^SHA256:[\w+/]{43}$/);
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    await pollTwice(service, clock);
    expect([...server.files.keys()]).toEqual(['/out/archive/camt.xml']);
    expect(await readDeliveries(service, feed)).toMatchObject([
      { status: 'processed', fileName: 'camt.xml' },
    ]);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastError: null });
    await expectInvariants(service);
  });

  test('sends no password to a server with another host key, until it is approved', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    await pollDueFeeds(service, clock);
    const first = await approveHostKey(service, feed);
    await pollTwice(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected' });
    const logins = server.loginCount;
    await server.changeHostKey();
    server.files.set('/out/camt.xml', { data: report(charge), mtime });
    await pollTwice(service, clock);
    expect(server.loginCount).toBe(logins);
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'failing',
      lastError: /^host_key_changed: SHA/,
    });
    expect(await readPresentedKey(service, feed)).not.toBe(first);
    await approveHostKey(service, feed);
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
  });

  test('logs in with a key, and reports a rejected login immediately', async ({ service, clock, feed }) => {
    await update(service, feed, { credentials: { key: null, privateKey: sftpClientKey.private } });
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected' });
    await update(service, feed, { credentials: { key: 'wrong', privateKey: null } });
    await pollDueFeeds(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({
      status: 'failing',
      lastError: /^login_rejected: /,
    });
    const without = update(service, feed, { credentials: { key: null, privateKey: null } });
    expect(await doneOrCode(without)).toBe('invalid_request');
  });

  test('moves to another host or port only if its password is given again or removed', async ({
    service,
    feed,
  }) => {
    const { password: key } = sftpLogin;
    const host = '192.0.2.1';
    const hostKeyFingerprint = `SHA256:${'A'.repeat(43)}`;
    for (const pull of [{ host, hostKeyFingerprint }, { port: 22 }])
      await expect(update(service, feed, { pull })).rejects.toThrow(/credentials\/key is required when/);
    await update(service, feed, { pull: { folder: '/in' } });
    await update(service, feed, { pull: { port: 22 }, credentials: { key } });
    const credentials = { key: null, privateKey: sftpClientKey.private };
    const { settings } = await update(service, feed, { pull: { host }, credentials });
    expect(settings).toMatchObject({ pull: { host, port: 22, folder: '/in' } });
    // The private key is not sent, and so may stay.
    await update(service, feed, { pull: { host: '192.0.2.2' } });
  });

  test('fetches a file again that was transmitted in part, and loses nothing', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    server.files.set('/out/camt.xml', { data: report(charge), mtime });
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    server.setFault('truncates');
    await pollTwice(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ lastError: /^file_truncated: camt\.xml/ });
    expect(await readDeliveries(service, feed)).toEqual([]);
    expect(await service.prisma.upload.count({ where: { merchantId: feed.merchantId } })).toBe(0);
    server.setFault(undefined);
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastError: null });
  });

  test('fetches the other files if one cannot be opened, and fails with its name', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    await pollTwice(service, clock);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected' });
    server.files.set('/out/a.xml', { data: report(charge, '2'), mtime: mtime - 60, isDenied: true });
    server.files.set('/out/b.xml', { data: report(charge), mtime });
    for (let i = 0; i < 2; i++) await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    for (let i = 0; i < 2; i++) await pollTwice(service, clock);
    const { status, lastError, nextPollAt } = await readFeed(service, feed);
    expect(status).toBe('failing');
    expect(lastError).toMatch(/^connection_failed: a\.xml: /);
    // The other files do not wait longer.
    expect(nextPollAt).toEqual(new Date(clock.now().getTime() + 15 * minuteMs));
    expect([...server.files.keys()].sort()).toEqual(['/out/a.xml', '/out/archive/b.xml']);
    server.files.set('/out/a.xml', { data: report(charge, '2'), mtime: mtime - 60 });
    clock.advance(15 * minuteMs);
    await pollDueFeeds(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([{ fileName: 'b.xml' }, { fileName: 'a.xml' }]);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected' });
  });

  test('fetches new files if an imported one cannot be archived, and fails until it can', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    server.files.set('/out/a.xml', { data: report(charge), mtime });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    server.files.set('/out/a.xml', { data: report(charge), mtime, isDenied: true });
    for (let i = 0; i < 2; i++) await pollTwice(service, clock);
    const { status, lastError } = await readFeed(service, feed);
    expect(status).toBe('failing');
    expect(lastError).toMatch(/^connection_failed: a\.xml cannot be moved: /);
    server.files.set('/out/b.xml', { data: report(charge, '2'), mtime });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    await pollTwice(service, clock);
    expect([...server.files.keys()].sort()).toEqual(['/out/a.xml', '/out/archive/b.xml']);
    server.files.set('/out/a.xml', { data: report(charge), mtime });
    await pollTwice(service, clock);
    expect([...server.files.keys()].sort()).toEqual(['/out/archive/a.xml', '/out/archive/b.xml']);
    expect(await readFeed(service, feed)).toMatchObject({ status: 'connected', lastError: null });
  });

  test('is polled less often after a connection that ends during a file, and fetches the file then', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    const padded = Buffer.concat([report(charge), Buffer.alloc(100_000, ' ')]);
    server.files.set('/out/a.xml', { data: padded, mtime });
    server.files.set('/out/b.xml', { data: report(charge), mtime });
    server.setFault('disconnects');
    await pollTwice(service, clock);
    clock.advance(15 * minuteMs);
    await pollDueFeeds(service, clock);
    const { lastError, nextPollAt } = await readFeed(service, feed);
    expect(lastError).toMatch(/^connection_failed: a\.xml: /);
    expect(nextPollAt).toEqual(new Date(clock.now().getTime() + 30 * minuteMs));
    expect(await readDeliveries(service, feed)).toEqual([]);
    server.setFault(undefined);
    clock.advance(30 * minuteMs);
    await pollDueFeeds(service, clock);
    expect(await readDeliveries(service, feed)).toMatchObject([{ fileName: 'a.xml' }, { fileName: 'b.xml' }]);
  });

  test('is rejected for a private address, at each connection, unless the operator allows it', async ({
    service,
    clock,
    server,
    feed,
  }) => {
    const guarded = { ...service, settings: { ...service.settings, allowPrivateTargets: false } };
    await pollDueFeeds(guarded, clock);
    expect(await readFeed(service, feed)).toMatchObject({
      lastError: /^connection_failed: the address is a private/,
    });
    const { password: key } = sftpLogin;
    await update(service, feed, { pull: { host: 'localhost' }, credentials: { key } });
    await pollDueFeeds(guarded, clock);
    expect(await readFeed(service, feed)).toMatchObject({
      lastError: /^connection_failed: the address is a private/,
    });
    expect(server.loginCount).toBe(0);
  });

  test('aborts if a server does not respond, lists files endlessly, or hangs or disconnects during a file', async ({
    service,
    clock,
    server,
    feed,
  }) => {
    await pollDueFeeds(service, clock);
    const hostKeyFingerprint = (await readPresentedKey(service, feed))!;
    const open = (answerMs = 3_000) =>
      openSftp({
        pull: { host: '127.0.0.1', port: server.port, folder: '/out', hostKeyFingerprint },
        credentials: { username: sftpLogin.username, key: sftpLogin.password },
        allowPrivateTargets: true,
        answerMs,
      });
    server.files.set('/out/large.xml', { data: Buffer.alloc(1_000_000), mtime });
    for (const [fault, reason] of [
      ['hangs_in_file', 'timeout'],
      ['disconnects', 'connection_failed'],
    ] as const) {
      server.setFault(undefined);
      const source = await open();
      const [file] = await source.list();
      server.setFault(fault);
      await expect(Array.fromAsync(source.read(file!))).rejects.toMatchObject({ name: 'PullError', reason });
      await source.close();
    }
    server.setFault('lists_endlessly');
    const endless = await open(60_000);
    expect(await endless.list()).toHaveLength(50_000);
    await endless.close();
    server.setFault('hangs');
    const silent = await open();
    await expect(silent.list()).rejects.toMatchObject({ name: 'PullError', reason: 'timeout' });
    await silent.close();
  });

  test('decrypts OpenPGP files, and imports only those with the signature of the bank', async ({
    service,
    clock,
    server,
    charge,
    feed,
  }) => {
    const home = await createTempDir(onTestFinished);
    const gpg = (...args: string[]) =>
      execFileSync('gpg', ['--homedir', home, '--batch', '--yes', '--passphrase', '', ...args], {
        stdio: 'pipe',
      });
    for (const name of ['merchant', 'bank'])
      gpg('--quick-generate-key', `${name}@example.com`, 'default', 'default');
    const bankKey = gpg('--with-colons', '--fingerprint', 'bank@example.com').toString();
    // The bank signs with a subkey.
    gpg('--quick-add-key', /^fpr:+(\w+):$/m.exec(bankKey)![1]!, 'ed25519', 'sign');
    onTestFinished(() => void execFileSync('gpgconf', ['--homedir', home, '--kill', 'gpg-agent']));
    const keys = {
      pgpPrivateKey: gpg('--armor', '--export-secret-keys', 'merchant@example.com').toString(),
      pgpPublicKey: gpg('--armor', '--export', 'bank@example.com').toString(),
    };
    writeFileSync(join(home, 'a.xml'), report(charge));
    const write = (...options: string[]) => {
      gpg('--trust-model', 'always', '-o', join(home, 'a.pgp'), ...options, join(home, 'a.xml'));
      return readFileSync(join(home, 'a.pgp'));
    };
    const encrypt = (...options: string[]) => write('-r', 'merchant@example.com', ...options, '-e');
    const sign = (name: string, option = '--sign') => write('-u', `${name}@example.com`, option);
    await update(service, feed, { credentials: keys });
    await pollDueFeeds(service, clock);
    await approveHostKey(service, feed);
    server.files.set('/out/unsigned.xml', { data: report(charge), mtime });
    server.files.set('/out/unsigned.xml.pgp', { data: encrypt(), mtime });
    server.files.set('/out/own.xml.pgp', { data: encrypt('-s', '-u', 'merchant@example.com'), mtime });
    server.files.set('/out/own.xml.asc', { data: sign('merchant'), mtime });
    await pollTwice(service, clock);
    const unsigned = {
      ...{ status: 'failed', reason: 'pgp_failed', detail: 'it has no valid signature of the bank' },
    };
    expect(await readDeliveries(service, feed)).toMatchObject(Array(4).fill(unsigned));
    expect(await service.prisma.upload.count({ where: { merchantId: feed.merchantId } })).toBe(0);
    server.files.set('/out/signed.xml.pgp', { data: encrypt('-s', '-u', 'bank@example.com'), mtime });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    expect(await readChargeStatus(service, charge)).toBe('completed');
    server.files.set('/out/damaged.xml.pgp', { data: encrypt().subarray(0, 200), mtime });
    await pollTwice(service, clock);
    const damaged = { status: 'failed', detail: 'it is damaged, or encrypted for another key' };
    expect((await readDeliveries(service, feed)).at(-1)).toMatchObject(damaged);

    // Without a private key, the feed reads files that are only signed.
    await update(service, feed, { credentials: { pgpPrivateKey: null } });
    server.files.set('/out/signed.xml.gpg', { data: sign('bank'), mtime });
    server.files.set('/out/signed.xml.asc', { data: sign('bank', '--clear-sign'), mtime });
    const forged = Buffer.concat([Buffer.from('<Document/>\n'), sign('bank').subarray(0, -1)]);
    server.files.set('/out/forged.xml.gpg', { data: forged, mtime });
    server.files.set('/out/encrypted.xml.gpg', { data: encrypt('-s', '-u', 'bank@example.com'), mtime });
    await pollTwice(service, clock);
    await finishImports(service, clock);
    const last = (await readDeliveries(service, feed)).slice(-4);
    const byName = Object.fromEntries(last.map(({ fileName, status }) => [fileName, status]));
    expect(byName).toEqual({
      'signed.xml.gpg': 'processed',
      'signed.xml.asc': 'processed',
      'forged.xml.gpg': 'failed',
      'encrypted.xml.gpg': 'failed',
    });
  });
});
