/** Runs the service as a child of `node --watch`. */
import { globSync } from 'node:fs';
import { writeDashboardHashes } from './dashboard-documents.ts';

const root = new URL('..', import.meta.url);

// On Linux, Node watches inodes, so it loses a module that Git or an editor replaces. It also does not watch
// files that the service only reads, such as styles and the dashboard. Therefore all source folders are
// watched too.
const folders = globSync(['src/**/', 'schema/**/', 'prisma/', 'prisma/migrations/**/'], { cwd: root });
const watchFolders = () =>
  process.send?.({ 'watch:import': folders.map((folder) => new URL(folder, root).href) });
// Watched only afterwards, because writing this file must not cause another restart.
await writeDashboardHashes().finally(watchFolders);
await import('../src/main.ts');
