import { beforeAll, describe, expect, test } from 'vitest';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { testAppSecret } from '../setup/service.ts';
import { runCli, spawnCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let env: Record<string, string>;

beforeAll(async () => {
  const { connectionString } = await setupApp(onCleanup);
  env = { DATABASE_URL: connectionString, APP_SECRET: testAppSecret };
});

describe('what cannot be done', () => {
  test.each([
    ['no such command', ['frobnicate'], 'Unknown command: frobnicate'],
    ['half a command', ['merchant'], 'Unknown command: merchant'],
    ['an unknown option', ['check', '--quick'], "Unknown option '--quick'"],
    ['a missing option', ['merchant', 'create'], '--name is required'],
    ['a missing argument', ['statement', 'import', '--account', 'acc_1'], 'FILE is required'],
    ['an argument too many', ['merchant', 'grant', 'mer_1', 'mer_2'], 'Unexpected argument: mer_2'],
  ])('%s: exit code 2, and JSON with --json', async (_, args, message) => {
    const { code, json } = await runCli(env, [...args, '--json']);
    expect(code).toBe(2);
    expect(json).toEqual({ error: { code: 'usage', message: expect.stringContaining(message) } });
  });

  test('a value that an option does not take is a fault of the call too, which the text explains', async () => {
    const { code, stderr } = await spawnCli(env, [
      'merchant',
      'create',
      '--name',
      'X',
      '--restricted',
      'perhaps',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--restricted must be one of none, requested, granted');
    expect(stderr).toContain('merchant create --name N');
  });

  test('every refusal is JSON with --json: of the domain, of the environment, of the database, of a file', async () => {
    const refusals: [Record<string, string>, string[], string, string][] = [
      [env, ['user', 'reset', 'nobody@example.com'], 'user_not_found', 'nobody@example.com'],
      [env, ['customer', 'erase', 'cus_none'], 'customer_not_found', 'cus_none'],
      [
        env,
        ['statement', 'import', import.meta.filename, '--account', 'acc_none'],
        'receiving_account_not_found',
        'acc_none',
      ],
      // Told before whose it is: that is what one sees at once.
      [env, ['statement', 'import', '/no/such/file', '--account', 'acc_none'], 'failed', '/no/such/file'],
      [env, ['rates', 'import', '/no/such/file'], 'failed', 'Cannot read the file /no/such/file'],
      [{ DATABASE_URL: 'postgres://127.0.0.1/x' }, ['check'], 'configuration', 'APP_SECRET is required'],
      [
        { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' },
        ['check'],
        'failed',
        'DATABASE_URL: cannot reach PostgreSQL',
      ],
      [{ ...env, APP_SECRET: 'x'.repeat(32) }, ['check'], 'failed', 'APP_SECRET does not match'],
    ];
    for (const [given, args, code, message] of refusals) {
      const answer = await runCli(given, [...args, '--json']);
      expect(answer, args.join(' ')).toMatchObject({ code: 1 });
      expect(answer.json.error).toMatchObject({ code, message: expect.stringContaining(message) });
    }
  });
});

describe('help', () => {
  test.each([
    [['merchant', '--help'], 7, 'merchant create --name N'],
    [['help', 'secrets'], 3, 'secrets sms-key'],
    [['statement', 'import', '--help'], 1, 'statement import FILE --account ID'],
    [['statement', 'import', 'x.csv', '-h'], 1, 'Imports a bank statement'],
  ])('of %j tells of what it names', async (args, count, part) => {
    const { code, stdout, stderr } = await runCli({}, args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(part);
    expect(stdout.match(/^ {2}[a-z]/gm)).toHaveLength(count);
  });

  test('half a command is told what it may become', async () => {
    const { code, stderr } = await runCli({}, ['secrets']);
    expect(code).toBe(2);
    expect(stderr.match(/^ {2}[a-z]+ [a-z-]+/gm)).toEqual([
      '  secrets sms-key',
      '  secrets rotate',
      '  secrets retire',
    ]);
  });

  test('lists every command', async () => {
    const { code, stdout } = await spawnCli({}, ['help']);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)/gm)].map(([, words]) => words);
    expect(listed).toEqual([
      'merchant create',
      'merchant grant',
      'merchant decline',
      'merchant disable-operation',
      'merchant enable-operation',
      'merchant disable',
      'merchant enable',
      'operator create',
      'user create',
      'user reset',
      'user reset-second-factor',
      'customer export',
      'customer erase',
      'statement import',
      'statement preview',
      'rates import',
      'check',
      'message test',
      'secrets sms-key',
      'secrets rotate',
      'secrets retire',
      'backup',
      'restore',
      'migrate',
      'demo',
    ]);
  });
});
