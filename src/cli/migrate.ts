import { readAppliedMigrations } from '../kit/migrate.ts';
import type { ServiceCommand } from './command.ts';

export const migrateCommand: ServiceCommand = {
  async run(service) {
    const migrations = (await readAppliedMigrations(service.pool)).map(({ name }) => name);
    return { json: { migrations }, text: `The schema is at migration ${migrations.at(-1)}` };
  },
};
