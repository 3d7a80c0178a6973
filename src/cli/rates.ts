import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { importRates } from '../domain/forex/import-rates.ts';
import type { ServiceCommand } from './command.ts';

export const importRatesCommand: ServiceCommand = {
  async run(service, { positionals: [file = ''] }) {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new Error(`The file ${file} cannot be read`);
    });
    const { asOf, currencies } = await importRates(service, {
      text,
      source: `file ${basename(file)}`,
      now: new Date(),
    });
    return {
      json: { asOf: asOf.toISOString(), currencies },
      text: `${currencies.length} rates of ${asOf.toISOString().slice(0, 10)}: ${currencies.join(' ')}`,
    };
  },
};
