/**
 * `npm run build`: creates what the service would otherwise create on its first start, for container images and
 * machines with a read-only disk. scripts/launch.mjs creates the database client; this file creates the bundle of the
 * dashboard.
 */
import { buildDashboard } from '../src/dashboard-server/build-dashboard.ts';

await buildDashboard({ onProgress: (line) => console.log(`· ${line}`) });
