import { basename } from 'node:path';
import { importRates } from '../domain/platform/forex/import-rates.ts';
import type { ServiceCommand } from './command.ts';
import { readText } from './files.ts';

export const importRatesCommand: ServiceCommand = {
  async run(service, { positionals: [file = ''] }) {
    const { asOf, currencies } = await importRates(service, {
      text: await readText(file),
      source: `file ${basename(file)}`,
      now: new Date(),
    });
    return {
      json: { asOf: asOf.toISOString(), currencies },
      text: `${currencies.length} rates of ${asOf.toISOString().slice(0, 10)}: ${currencies.join(' ')}`,
    };
  },
};
