/**
 * `npm run graph`: prints which folder imports which, layer by layer, and lists upward imports and cycles.
 */
import { dirname } from 'node:path';
import {
  findImportCycles,
  findImports,
  findUpwardContextImports,
  findUpwardImports,
  getLayerIndex,
  layers,
  readSources,
} from './import-graph.ts';

const sources = readSources();
const toNode = (file: string) =>
  dirname(file) === 'src' ? file : dirname(file).split('/').slice(0, 3).join('/');

for (const [index, [name]] of layers.entries()) {
  console.log(`${name}`);
  const files = [...sources.keys()].filter((file) => getLayerIndex(file) === index);
  for (const [node, nodeFiles] of [...Map.groupBy(files, toNode)].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(
      `  ${node} (${nodeFiles.length === 1 ? '1 file' : `${nodeFiles.length} files`})${formatTargets(node, nodeFiles)}`,
    );
  }
}
const violations = [
  ...[...findUpwardImports(sources), ...findUpwardContextImports(sources)].map((edge) => `upward: ${edge}`),
  ...findImportCycles(sources).map((cycle) => `cycle: ${cycle}`),
];
console.log(
  violations.length === 0 ? '\nNo import cycles and no upward imports.' : `\n${violations.join('\n')}`,
);
process.exit(violations.length === 0 ? 0 : 1);

function formatTargets(node: string, files: string[]): string {
  const targets = files
    .flatMap((file) => findImports(file, sources.get(file) ?? ''))
    .filter((target) => sources.has(target))
    .map(toNode)
    .filter((target) => target !== node);
  const counts = [...Map.groupBy(targets, (target) => target)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([target, all]) => `${target.replace(/^src\//, '')} ${all.length}`);
  return counts.length === 0 ? '' : ` → ${counts.join(', ')}`;
}
