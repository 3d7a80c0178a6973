import { ensureDemo } from '../demo/ensure-demo.ts';
import { walkthrough } from '../demo/welcome.ts';
import type { Command } from './command.ts';

export const demoCommand: Command = {
  words: ['demo'],
  usage: '',
  summary: 'Makes the demo merchant where there is none, and prints its keys and lines to paste',
  positionals: [],
  options: {},
  async run(service, { config, say }) {
    const demo = await ensureDemo(service, config, say);
    return { json: demo, text: walkthrough(config.publicUrl, demo).join('\n') };
  },
};
