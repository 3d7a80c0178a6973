import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMerchant, type ModeKeys } from '../domain/merchant/create-merchant.ts';
import type { Service } from '../domain/service.ts';
import { createWebhook } from '../domain/webhook/create-webhook.ts';
import type { Config } from '../kit/config.ts';

/** What the demo prints at every start; kept in DATA_DIR, readable by its owner only. */
export type Demo = {
  merchantId: string;
  live: ModeKeys;
  sandbox: ModeKeys;
  certificate: string;
  email: string;
  password: string;
  webhook: { username: string; password: string };
};

const demoEmail = 'owner@demo.example';

/**
 * The demo merchant, made on the first start: keys of both modes, a fictional receiving account for each method, a
 * certificate, and a webhook to the demo's own receiver.
 */
export async function ensureDemo(
  service: Service,
  config: Config,
  say: (line: string) => void,
): Promise<Demo> {
  const path = join(config.dataDir, 'demo.json');
  const known = await readDemo(path);
  if (known && (await isHere(service, known))) {
    await pointWebhooksHere(service, known);
    return known;
  }
  say('Making the demo merchant');
  const demo = await makeDemo(service);
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(path, JSON.stringify(demo, null, 2), { mode: 0o600 });
  await chmod(path, 0o600);
  return demo;
}

async function readDemo(path: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Demo;
  } catch (error) {
    // Half a file is what a kill in the middle of writing leaves: the demo is made again.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isHere(service: Service, demo: Demo): Promise<boolean> {
  return (await service.prisma.merchant.findUnique({ where: { id: demo.merchantId } })) !== null;
}

async function makeDemo(service: Service): Promise<Demo> {
  const now = new Date();
  const taken = await service.prisma.merchantUser.findUnique({ where: { email: demoEmail } });
  const made = await createMerchant(service, {
    input: {
      name: 'Harbour Teas (demo)',
      email: taken ? undefined : demoEmail,
      restricted: 'granted',
      demoAccounts: true,
    },
    now,
  });
  const webhook = { username: 'demo', password: randomBytes(12).toString('base64url') };
  for (const mode of ['live', 'sandbox'] as const) {
    const input = { url: webhookUrl(service), ...webhook, version: '1.0' };
    await createWebhook(service, { merchantId: made.merchant.id, mode, input, actor: 'demo', now });
  }
  const { keys, certificate, email, password } = made;
  return { merchantId: made.merchant.id, ...keys, certificate, email, password, webhook };
}

function webhookUrl(service: Service): string {
  return `${service.settings.publicUrl}/demo/webhook`;
}

/** The service may listen elsewhere than at the last start. */
async function pointWebhooksHere(service: Service, demo: Demo): Promise<void> {
  await service.prisma.webhook.updateMany({
    where: { merchantId: demo.merchantId, url: { endsWith: '/demo/webhook' } },
    data: { url: webhookUrl(service) },
  });
}
