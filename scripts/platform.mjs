/** What runs the service: Node that strips types by itself. npm puts the one from node_modules first. */
const nodeMajorMin = 24;

export function isUsable() {
  return Number(process.versions.node.split('.')[0]) >= nodeMajorMin;
}

export function whyUnusable() {
  return (
    `Causeway runs on Node ${nodeMajorMin} or newer, which npm installs with it on Linux (glibc, x64 and arm64); ` +
    `this is ${process.platform} ${process.arch} with Node ${process.versions.node}. Install Node ${nodeMajorMin}.`
  );
}
