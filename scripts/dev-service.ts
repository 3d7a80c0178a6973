/** Runs the service as a child of `node --watch`. */
import { globSync } from 'node:fs';
import { writeDashboardHashes } from './dashboard-documents.ts';

const root = new URL('..', import.meta.url);

// On Linux, Node watches inodes, so it loses a module that Git or an editor replaces. It also does not watch files that
// the service only reads, such as styles and the dashboard. Therefore `watchFolders` adds all source folders.
const folders = globSync(['src/**/', 'schema/**/', 'prisma/', 'prisma/migrations/**/'], { cwd: root });
const watchFolders = () =>
  process.send?.({ 'watch:import': folders.map((folder) => new URL(folder, root).href) });
// The folders are watched only after the hashes are written, because writing them would otherwise cause another
// restart.
await writeDashboardHashes().finally(watchFolders);
await import('../src/main.ts');
