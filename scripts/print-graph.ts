/** `npm run graph`: which folder imports which, layer by layer, and what goes against the direction or in a circle. */
import { dirname } from 'node:path';
import {
  importCircles,
  importsOf,
  layerOf,
  layers,
  readSources,
  upwardContextImports,
  upwardImports,
} from './import-graph.ts';

const sources = readSources();
const nodeOf = (file: string) =>
  dirname(file) === 'src' ? file : dirname(file).split('/').slice(0, 3).join('/');

for (const [index, [name]] of layers.entries()) {
  console.log(`${name}`);
  const files = [...sources.keys()].filter((file) => layerOf(file) === index);
  for (const [node, own] of [...Map.groupBy(files, nodeOf)].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`  ${node} (${own.length === 1 ? '1 file' : `${own.length} files`})${targetsOf(node, own)}`);
  }
}
const faults = [
  ...[...upwardImports(sources), ...upwardContextImports(sources)].map((one) => `upward: ${one}`),
  ...importCircles(sources).map((one) => `circle: ${one}`),
];
console.log(
  faults.length === 0 ? '\nNo circle, and no import against the direction.' : `\n${faults.join('\n')}`,
);
process.exit(faults.length === 0 ? 0 : 1);

function targetsOf(node: string, files: string[]): string {
  const targets = files
    .flatMap((file) => importsOf(file, sources.get(file) ?? ''))
    .filter((target) => sources.has(target))
    .map(nodeOf)
    .filter((target) => target !== node);
  const counts = [...Map.groupBy(targets, (target) => target)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([target, all]) => `${target.replace(/^src\//, '')} ${all.length}`);
  return counts.length === 0 ? '' : ` → ${counts.join(', ')}`;
}
