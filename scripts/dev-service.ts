/** The service as a child of `node --watch`. */
import { globSync } from 'node:fs';
import { writeDashboardHashes } from './dashboard-documents.ts';

const root = new URL('..', import.meta.url);

// On Linux, Node watches inodes: it loses a module that git or an editor replaces, and it does not know files that the
// service only reads, such as styles and the dashboard. So it watches their folders as well.
const folders = globSync(['src/**/', 'schema/**/', 'prisma/', 'prisma/migrations/**/'], { cwd: root });
const watchFolders = () =>
  process.send?.({ 'watch:import': folders.map((folder) => new URL(folder, root).href) });
// Watched only then: the file that this writes is no reason for another restart.
await writeDashboardHashes().finally(watchFolders);
await import('../src/main.ts');
