/**
 * Makes beforehand what the service would make when it first starts: the database client (by scripts/launch.mjs) and the
 * bundle of the dashboard. For images of containers and machines whose disks cannot be written to.
 *   npm run build
 */
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';

await buildDashboard({ onProgress: (line) => console.log(`· ${line}`) });
