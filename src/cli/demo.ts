import { ensureDemo } from '../demo/ensure-demo.ts';
import { formatDemo } from '../demo/welcome.ts';
import type { ServiceCommand } from './command.ts';

export const demoCommand: ServiceCommand = {
  async run(service, { config, onProgress }) {
    const demo = await ensureDemo(service, config, { onProgress, isServing: false });
    return { json: demo, text: formatDemo(config.publicUrl, demo).join('\n') };
  },
};
