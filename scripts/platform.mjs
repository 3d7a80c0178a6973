/** What runs the service: Node that strips types by itself. npm puts the one from node_modules first. */
const nodeMajorMin = 24;

export function isUsable() {
  return isNewEnough() && isSupportedSystem();
}

export function whyUnusable() {
  const here = `this is ${systemName()} ${process.arch} with Node ${process.versions.node}`;
  return (
    `Causeway runs on Node ${nodeMajorMin} or newer, which npm installs with it on Linux (glibc, x64 and arm64); ` +
    `${here}.${isNewEnough() ? '' : ` Install Node ${nodeMajorMin}.`}`
  );
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= nodeMajorMin;
}

/** macOS is built for, and untried. */
function isSupportedSystem() {
  return process.platform === 'darwin' || (process.platform === 'linux' && hasGlibc());
}

function hasGlibc() {
  // Else it asks for the names of whoever is connected.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

function systemName() {
  return process.platform === 'linux' && !hasGlibc() ? 'linux without glibc' : process.platform;
}
