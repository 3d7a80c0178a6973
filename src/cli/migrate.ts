import type { ServiceCommand } from './command.ts';

export const migrateCommand: ServiceCommand = {
  async run(service) {
    const rows = await service.pool.query<{ migration_name: string }>(
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name',
    );
    const migrations = rows.rows.map((row) => row.migration_name);
    return { json: { migrations }, text: `The schema is at ${migrations.at(-1)}` };
  },
};
