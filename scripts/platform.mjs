/**
 * The minimum major version of Node, which strips types without a flag. npm scripts run the Node in node_modules,
 * because its folder is first in their PATH.
 */
const nodeMajorMin = 24;

export function isPlatformSupported() {
  return isNewEnough() && isSupportedSystem();
}

export function getUnsupportedReason() {
  const here = `this is ${getSystemName()} ${process.arch} with Node ${process.versions.node}`;
  return (
    `Causeway runs on Node ${nodeMajorMin} or newer, which npm installs with it on Linux (glibc, x64 and arm64); ` +
    `${here}.${isNewEnough() ? '' : ` Install Node ${nodeMajorMin}.`}`
  );
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= nodeMajorMin;
}

/** Causeway also runs on macOS but is not tested there. */
function isSupportedSystem() {
  return process.platform === 'darwin' || (process.platform === 'linux' && hasGlibc());
}

function hasGlibc() {
  // Without this, the report would resolve the names of the hosts that the process is connected to.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

function getSystemName() {
  return process.platform === 'linux' && !hasGlibc() ? 'linux without glibc' : process.platform;
}
