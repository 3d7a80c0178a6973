import { ensureDemo } from '../demo/ensure-demo.ts';
import { walkthrough } from '../demo/welcome.ts';
import type { ServiceCommand } from './command.ts';

export const demoCommand: ServiceCommand = {
  async run(service, { config, say }) {
    const demo = await ensureDemo(service, config, { say, isServing: false });
    return { json: demo, text: walkthrough(config.publicUrl, demo).join('\n') };
  },
};
