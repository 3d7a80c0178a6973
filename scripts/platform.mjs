/**
 * The minimum Node version: the service needs built-in type stripping. npm puts the version in node_modules
 * first in the PATH.
 */
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

/** macOS is supported by the build but not tested. */
function isSupportedSystem() {
  return process.platform === 'darwin' || (process.platform === 'linux' && hasGlibc());
}

function hasGlibc() {
  // Otherwise the report resolves the names of connected hosts.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

function systemName() {
  return process.platform === 'linux' && !hasGlibc() ? 'linux without glibc' : process.platform;
}
