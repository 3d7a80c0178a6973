/**
 * `npm run build`: creates in advance what the service would create on its first start. That is the database
 * client (by scripts/launch.mjs) and the bundle of the dashboard. For container images and machines with a
 * read-only disk.
 */
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';

await buildDashboard({ onProgress: (line) => console.log(`· ${line}`) });
