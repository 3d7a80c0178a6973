import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { getTestPostgres } from '../../../test/setup/test-postgres.ts';
import { findFreePort, startCauseway } from '../../causeway.ts';

const shopFolder = fileURLToPath(new URL('shop', import.meta.url));

/** Starts Causeway with a webhook, and returns a function that runs a test suite on Medusa. */
export async function prepareShop() {
  installPlugin();
  const causeway = await startCauseway();
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/hooks/payment/causeway_causeway`;
  const { signingSecret, webhook } = await causeway.createWebhook(webhookUrl);
  const postgres = new URL((await getTestPostgres()).url);
  Object.assign(process.env, {
    LOG_LEVEL: 'error',
    PORT: String(port),
    DB_HOST: 'localhost',
    DB_PORT: postgres.port,
    DB_USERNAME: decodeURIComponent(postgres.username),
    DB_PASSWORD: decodeURIComponent(postgres.password),
    CAUSEWAY_URL: causeway.url,
    CAUSEWAY_KEY: causeway.apiKey,
    CAUSEWAY_SECRET: causeway.apiSecret,
    CAUSEWAY_WEBHOOK_SECRET: signingSecret,
  });
  // Medusa resolves providers from the working directory, and its test runner expects the globals of Jest.
  process.chdir(shopFolder);
  Object.assign(globalThis, { describe, beforeAll, beforeEach, afterEach, afterAll });
  // The test runner reads the environment when it is imported.
  const { medusaIntegrationTestRunner } = await import('@medusajs/test-utils');
  type Runner = Parameters<typeof medusaIntegrationTestRunner>[0];
  const run = (testSuite: Runner['testSuite']) =>
    medusaIntegrationTestRunner({ inApp: true, medusaConfigFile: shopFolder, cwd: shopFolder, testSuite });
  return { causeway, webhook: { id: webhook.id, secret: signingSecret }, webhookUrl, run };
}

/** Installs the packed plugin as in a shop. */
function installPlugin(): void {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const target = join(cwd, 'node_modules/causeway-medusa');
  const folder = mkdtempSync(join(tmpdir(), 'causeway-medusa-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd });
  rmSync(target, { force: true, recursive: true });
  mkdirSync(target);
  execFileSync('tar', ['-xzf', join(folder, readdirSync(folder)[0]!), '-C', target, '--strip-components=1']);
  rmSync(folder, { recursive: true });
}
