import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';

type ExampleShop = { url: string; stop(): Promise<void> };

/** Starts examples/shop as its README describes; `env` can name a DATABASE to keep orders in a file. */
export async function startExampleShop(
  causewayUrl: string,
  { apiKey, apiSecret }: ModeKeys,
  env: Record<string, string> = {},
): Promise<ExampleShop> {
  const server = fileURLToPath(new URL('../../examples/shop/server.ts', import.meta.url));
  const shop = spawn(process.execPath, [server], {
    env: {
      CAUSEWAY_URL: causewayUrl,
      API_KEY: apiKey,
      API_SECRET: apiSecret,
      PORT: '0',
      DATABASE: ':memory:',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  shop.stderr.on('data', (text) => console.error(String(text)));
  const [line] = (await once(shop.stdout, 'data')) as [Buffer];
  return {
    url: String(line).split('\n')[0]!.replace('The shop is open at ', ''),
    async stop() {
      if (shop.signalCode !== null) return;
      shop.kill();
      await once(shop, 'exit');
    },
  };
}
