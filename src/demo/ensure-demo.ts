import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mode } from '../../prisma/client/client.ts';
import {
  createMerchant,
  createMerchantSecrets,
  type ModeKeys,
} from '../domain/accounts/merchant/create-merchant.ts';
import { createWebhook } from '../domain/accounts/webhook/create-webhook.ts';
import type { Service } from '../domain/platform/service.ts';
import { transact } from '../event/unit-of-work.ts';
import type { Config } from '../kit/config.ts';
import { toDataDirError } from '../kit/embedded-postgres/data-dir.ts';
import { DomainError } from '../kit/errors.ts';
import { ensureDemoSubscriptions } from './demo-subscriptions.ts';

/** The credentials that the demo prints at every start, stored in a file in DATA_DIR that only its owner can read. */
export type Demo = {
  merchantId: string;
  live: ModeKeys;
  sandbox: ModeKeys;
  /** The public keys of the certificates, in PEM. */
  certificates: Record<Mode, string>;
  email: string;
  password: string;
  webhook: { username: string; password: string };
};

const demoEmail = 'owner@demo.example';

/**
 * Creates the demo merchant on the first start: keys and certificates for both modes, a fictional receiving
 * account for each method, and sandbox subscriptions. Its webhooks point to the demo receiver, and are
 * updated when the service's URL changes. A call that was killed is completed by the next call.
 */
export async function ensureDemo(
  service: Service,
  { dataDir }: Pick<Config, 'dataDir'>,
  { onProgress, isServing }: { onProgress: (line: string) => void; isServing: boolean },
): Promise<Demo> {
  const path = join(dataDir, 'demo.json');
  const storedDemo = await readDemo(path);
  const demo =
    storedDemo && (await merchantExists(service, storedDemo))
      ? storedDemo
      : await createDemo(service, path, onProgress);
  await ensureWebhooks(service, demo, isServing);
  await ensureDemoSubscriptions(service, demo.merchantId, new Date());
  return demo;
}

async function readDemo(path: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Demo;
  } catch (error) {
    // A syntax error means an incompletely written file, so the demo is created again.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function merchantExists(service: Service, demo: Demo): Promise<boolean> {
  return (await service.prisma.merchant.findUnique({ where: { id: demo.merchantId } })) !== null;
}

async function createDemo(service: Service, path: string, onProgress: (line: string) => void): Promise<Demo> {
  onProgress('Creating the demo merchant');
  const existingUser = await service.prisma.merchantUser.findFirst({
    where: { email: demoEmail, removedAt: null },
  });
  const webhook = { username: 'demo', password: randomBytes(12).toString('base64url') };
  const secrets = await createMerchantSecrets();
  const input = {
    name: 'Harbour Teas (demo)',
    email: existingUser ? undefined : demoEmail,
    restrictedAccess: 'granted',
    hasDemoAccounts: true,
  } as const;
  return transact(service, async (uow) => {
    const created = await createMerchant(uow, { input, secrets, now: new Date() });
    const { merchant, keys, certificates, email, password } = created;
    const demo = { merchantId: merchant.id, ...keys, certificates, email, password, webhook };
    // Written before the commit, because keys are shown only once. A file without its merchant is overwritten
    // at the next start.
    await writeDemo(path, demo);
    return demo;
  });
}

async function writeDemo(path: string, demo: Demo): Promise<void> {
  const temporaryPath = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporaryPath, JSON.stringify(demo, null, 2), { mode: 0o600, flush: true });
    await rename(temporaryPath, path);
  } catch (error) {
    throw toDataDirError(error, dirname(path), 'written');
  }
}

/**
 * Creates one webhook per mode. Only the service itself updates the URL, because commands do not know where
 * it listens.
 */
async function ensureWebhooks(
  service: Service,
  { merchantId, webhook }: Demo,
  isServing: boolean,
): Promise<void> {
  const url = `${service.settings.publicUrl}/demo/webhook`;
  const existingWebhooks = await service.prisma.webhook.findMany({
    where: { merchantId, url: { endsWith: '/demo/webhook' } },
  });
  for (const mode of ['live', 'sandbox'] as const) {
    const input = { url, ...webhook, notificationVersion: '1.0' } as const;
    const existingWebhook = existingWebhooks.find((row) => row.mode === mode);
    const options = { merchantId, mode, input, actor: 'job:demo', now: new Date() };
    if (!existingWebhook)
      await createWebhook(service, options).catch((error: Error) => explainRejection(error, url));
    else if (isServing && existingWebhook.url !== url)
      await service.prisma.webhook.update({ where: { id: existingWebhook.id }, data: { url } });
  }
}

function explainRejection(error: Error, url: string): never {
  if (!(error instanceof DomainError)) throw error;
  throw new Error(
    `DEMO: webhook URL of the demo receiver ${url} was rejected (${error.message}). ` +
      'Set ALLOW_PRIVATE_TARGETS=true, an https PUBLIC_URL, or DEMO=false.',
  );
}
