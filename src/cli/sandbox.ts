import { createSandbox } from '../domain/accounts/merchant/create-sandbox.ts';
import { resetSandbox } from '../domain/operations/sandbox/reset-sandbox.ts';
import { systemClock } from '../kit/clock.ts';
import type { ServiceCommand } from './command.ts';

export const createSandboxCommand: ServiceCommand = {
  async run(service, { options }) {
    const name = String(options.name ?? 'Sandbox');
    const { merchant, keys, certificate } = await createSandbox(service, { name, now: systemClock.now() });
    const { apiKey, apiSecret, publishableKey } = keys;
    const text = [
      `Sandbox ${merchant.id}`,
      `export CAUSEWAY_API_KEY=${apiKey} CAUSEWAY_API_SECRET=${apiSecret}`,
      `publishable key  ${publishableKey}`,
      'certificate (public key, verifies callbacks):',
      certificate,
    ];
    return { json: { merchantId: merchant.id, ...keys, certificate }, text: text.join('\n') };
  },
};

export const resetSandboxCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], onProgress }) {
    const audit = { actor: 'operator', now: systemClock.now() };
    const rows = await resetSandbox(service, { ...audit, merchantId, requiresSandboxOnly: true, onProgress });
    return { json: { merchantId, rows }, text: `The sandbox ${merchantId} was reset: ${rows} rows deleted` };
  },
};
