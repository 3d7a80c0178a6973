import type { Command } from './command.ts';

/** The commands that move a merchant to another installation, in the order of use. */
export const moveCommands: readonly Command[] = [
  {
    words: ['merchant', 'pause'],
    needsDatabase: true,
    usage: 'ID',
    summary: 'Pauses a merchant, so that it can move to another installation',
    positionals: ['ID'],
    load: async () => (await import('./move.ts')).pauseMerchantCommand,
  },
  {
    words: ['merchant', 'resume'],
    needsDatabase: true,
    usage: 'ID',
    summary: 'Reverts a move that is not complete: the paused merchant runs here again',
    positionals: ['ID'],
    load: async () => (await import('./move.ts')).resumeMerchantCommand,
  },
  {
    words: ['merchant', 'export'],
    needsDatabase: true,
    usage: 'ID FILE --key-file KEY',
    summary:
      'Writes all data of a paused or moved merchant to a new file, encrypted with the contents of KEY',
    positionals: ['ID', 'FILE'],
    options: { 'key-file': { type: 'string' } },
    required: ['key-file'],
    load: async () => (await import('./move.ts')).exportMerchantCommand,
  },
  {
    words: ['merchant', 'import'],
    usage: 'FILE --key-file KEY',
    summary:
      'Imports a merchant from such a file and verifies every row; it does not run before `merchant activate`',
    positionals: ['FILE'],
    options: { 'key-file': { type: 'string' } },
    required: ['key-file'],
    load: async () => (await import('./move.ts')).importMerchantCommand,
  },
  {
    words: ['merchant', 'complete-move'],
    needsDatabase: true,
    usage: 'ID --to URL',
    summary: 'Completes a move: the merchant never runs here again; prints the code that activates it at URL',
    positionals: ['ID'],
    options: { to: { type: 'string' } },
    required: ['to'],
    load: async () => (await import('./move.ts')).completeMoveCommand,
  },
  {
    words: ['merchant', 'activate'],
    needsDatabase: true,
    usage: 'ID --code CODE',
    summary: 'Activates an imported merchant with the code of complete-move',
    positionals: ['ID'],
    options: { code: { type: 'string' } },
    required: ['code'],
    load: async () => (await import('./move.ts')).activateMerchantCommand,
  },
  {
    words: ['merchant', 'discard-import'],
    needsDatabase: true,
    usage: 'ID',
    summary: 'Deletes an imported merchant that was never activated, such as after a reverted move',
    positionals: ['ID'],
    load: async () => (await import('./move.ts')).discardImportCommand,
  },
];
