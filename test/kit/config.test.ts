import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/kit/config.ts';

const database = { DATABASE_URL: 'postgresql://db.example/causeway', APP_SECRET: 'x'.repeat(32) };

describe('the environment', () => {
  test('may be empty: an embedded database on this machine, with the demo', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      publicUrl: 'http://127.0.0.1:4000',
      databaseUrl: undefined,
      databasePoolSize: 10,
      dataDir: '.data',
      demo: true,
      allowPrivateTargets: true,
      role: 'all',
      rateLimit: 100,
      logLevel: 'info',
    });
  });

  test.each([
    ['an own database', database],
    ['an address others reach', { HOST: '0.0.0.0' }],
    ['a public origin', { PUBLIC_URL: 'https://pay.example' }],
  ])('with %s disables the demo and rejects private targets', (_, env) => {
    expect(readConfig(env)).toMatchObject({ demo: false, allowPrivateTargets: false });
  });

  test('configures tracing with the variables of OpenTelemetry', () => {
    expect(readConfig({}).tracing).toBeUndefined();
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    };
    expect(readConfig(variables).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      serviceName: 'causeway',
      sampledFraction: 0.05,
    });
    const endpointVariables = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
      OTEL_SERVICE_NAME: 'pay',
    };
    expect(readConfig({ ...variables, ...endpointVariables }).tracing).toMatchObject({
      url: 'https://traces.example/in',
      serviceName: 'pay',
    });
    expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '2', OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })).toThrow(
      /OTEL_EXPORTER_OTLP_ENDPOINT.*OTEL_TRACES_SAMPLER_ARG/s,
    );
  });

  test('reports all errors, each with its variable', () => {
    const env = {
      PORT: '99999',
      ROLE: 'both',
      PUBLIC_URL: 'pay.example',
      DATABASE_URL: 'mysql://x',
      RATE_LIMIT: '-1',
      DEMO: 'maybe',
    };
    expect(() => readConfig(env)).toThrow(ConfigError);
    try {
      readConfig(env);
    } catch (error) {
      for (const name of Object.keys(env)) expect((error as Error).message).toContain(`  ${name} `);
    }
  });

  test('requires a secret for DATABASE_URL, and DATABASE_URL for several processes', () => {
    expect(() => readConfig({ DATABASE_URL: database.DATABASE_URL })).toThrow(/APP_SECRET/);
    expect(() => readConfig({ ROLE: 'worker' })).toThrow(/ROLE.*DATABASE_URL/);
    const worker = { ...database, ROLE: 'worker' };
    expect(readConfig({ ...worker, PUBLIC_URL: 'https://pay.example' }).role).toBe('worker');
    // Otherwise the links in mails and notifications would point to this machine.
    for (const ROLE of ['worker', 'api'])
      expect(() => readConfig({ ...database, ROLE, HOST: '0.0.0.0' })).toThrow(/PUBLIC_URL is required/);
    expect(readConfig(database).publicUrl).toBe('http://127.0.0.1:4000');
  });

  test('rejects an empty DATABASE_URL instead of using the embedded database', () => {
    for (const DATABASE_URL of ['', ' '])
      expect(() => readConfig({ DATABASE_URL })).toThrow(/DATABASE_URL is empty/);
  });

  test('accepts several hosts of PostgreSQL, each with its port, of which the primary is used', () => {
    for (const url of [
      'postgresql://u:p%2Cq@a.example:5432,b.example:5433/causeway',
      'postgres://u@a.example,b.example,[2001:db8::1]:5432/causeway?target_session_attrs=read-write&sslmode=require',
      'postgres://u@a.example/causeway?target_session_attrs=primary',
    ]) {
      const env = { ...database, DATABASE_URL: url, DATABASE_DIRECT_URL: url };
      expect(readConfig(env)).toMatchObject({ databaseUrl: url, databaseDirectUrl: url });
    }
    for (const url of [
      'postgres://u@a.example,/causeway',
      'postgres://u@a.example:5432,b.example:x/causeway',
      'postgres://u@a.example,b.example/causeway?host=c.example',
      'postgres://u@a.example,b.example/causeway?target_session_attrs=standby',
    ])
      expect(() => readConfig({ ...database, DATABASE_URL: url }), url).toThrow(/DATABASE_URL must be/);
  });

  test('requires DATABASE_URL with DATABASE_DIRECT_URL', () => {
    expect(() => readConfig({ DATABASE_DIRECT_URL: database.DATABASE_URL })).toThrow(
      /DATABASE_URL is required with DATABASE_DIRECT_URL/,
    );
  });

  test('accepts standbys to read from, without a parameter that asks for the primary', () => {
    const url = 'postgres://u:p@b.example:5432,c.example/causeway';
    const env = { ...database, DATABASE_READ_URL: url, DATABASE_READ_LAG_SECONDS: '30' };
    expect(readConfig(env)).toMatchObject({ databaseReadUrl: url, databaseReadLagMsMax: 30_000 });
    const primary = { ...env, DATABASE_READ_URL: `${url}?target_session_attrs=read-write` };
    expect(() => readConfig(primary)).toThrow(/DATABASE_READ_URL must be/);
    expect(() => readConfig({ DATABASE_READ_URL: url })).toThrow(
      /DATABASE_URL is required with DATABASE_READ_URL/,
    );
  });

  test('accepts several servers of MongoDB, each with its port', () => {
    const replicaSet = 'mongodb://u:p@a.example:27017,b.example:27018/causeway?replicaSet=rs0';
    expect(readConfig({ MONGODB_URL: replicaSet }).mongodbUrl).toBe(replicaSet);
    expect(() => readConfig({ MONGODB_URL: 'a.example:27017' })).toThrow(/MONGODB_URL must be/);
  });

  test('requires a mail server and its sender together, and errors contain no passwords', () => {
    const mail = { SMTP_URL: 'smtps://u:secret-word@mail.example', MAIL_FROM: 'Pay <pay@shop.example>' };
    expect(readConfig({ ...mail, SMS_URL: 'https://me:pw@sms.example/send' })).toMatchObject({
      smtpUrl: mail.SMTP_URL,
      mailFrom: mail.MAIL_FROM,
      smsUrl: 'https://me:pw@sms.example/send',
    });
    expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: undefined, smsUrl: undefined });
    expect(() => readConfig({ SMTP_URL: mail.SMTP_URL, MAIL_FROM: ' ' })).toThrow(/MAIL_FROM is required/);
    expect(() => readConfig({ ...mail, MAIL_FROM: 'pay' })).toThrow(/MAIL_FROM must be/);
    expect(() => readConfig({ SMS_URL: 'sms.example' })).toThrow(/SMS_URL must be/);
    const bare = { ...mail, SMTP_URL: 'smtps://u:50%off@mail.example' };
    expect(() => readConfig(bare)).toThrow(/SMTP_URL must be .*percent-encoded/);
    const wrong = { ...mail, SMTP_URL: 'smtps://u:secret-word@mail.example?tls=none' };
    expect(() => readConfig(wrong)).toThrow(/SMTP_URL must be/);
    expect(() => readConfig(wrong)).not.toThrow(/secret-word/);
  });
});
