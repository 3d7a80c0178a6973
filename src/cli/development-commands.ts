import type { Command } from './command.ts';

/** The commands for developers who integrate a service. */
export const developmentCommands: readonly Command[] = [
  {
    words: ['listen'],
    usage: '--forward-to URL [--url URL] [--events TYPE,…] [--after CURSOR] [--username U]',
    summary: 'Forwards the events of the sandbox to a server as signed webhooks, until it is interrupted',
    options: {
      'forward-to': { type: 'string' },
      url: { type: 'string' },
      events: { type: 'string' },
      after: { type: 'string' },
      username: { type: 'string' },
    },
    required: ['forward-to'],
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  {
    words: ['trigger'],
    usage: 'EVENT [--url URL]',
    summary: 'Causes an event in the sandbox by real changes of new objects, and prints the ID of the event',
    positionals: ['EVENT'],
    options: { url: { type: 'string' } },
    load: async () => (await import('./trigger.ts')).triggerCommand,
  },
  {
    words: ['sandbox', 'create'],
    usage: '[--name N]',
    summary: 'Creates a merchant that has only a sandbox, with its own clock, and prints its keys',
    options: { name: { type: 'string' } },
    load: async () => (await import('./sandbox.ts')).createSandboxCommand,
  },
  {
    words: ['sandbox', 'reset'],
    needsDatabase: true,
    usage: 'ID',
    summary: 'Deletes the data of such a merchant, and sets its clock back; keys and settings are kept',
    positionals: ['ID'],
    load: async () => (await import('./sandbox.ts')).resetSandboxCommand,
  },
];
