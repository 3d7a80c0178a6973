import { type FeedKind, getFeedDefinition } from '../../../feed/catalog.ts';
import type { FeedPullSettings } from '../../../feed/pull/pull-settings.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { checkText } from '../../../kit/text.ts';

type Nullable<T> = { [Name in keyof T]?: T[Name] | null | undefined };

/** The given settings of a feed that is polled; omitted ones stay unchanged. */
export type FeedPullInput = Nullable<Omit<FeedPullSettings, 'patterns'>> & {
  patterns?: readonly string[] | null | undefined;
};

const intervalMinutesMax = 24 * 60;
const patternsMax = 20;

/** Merges the given settings of polls into the previous ones. */
export function parseFeedPull(
  kind: FeedKind,
  input: FeedPullInput,
  before?: FeedPullSettings,
): FeedPullSettings | undefined {
  const pull = kind === 'custom' ? undefined : getFeedDefinition(kind, undefined).pull;
  if (!pull) {
    if (Object.values(input).some((value) => value != null))
      throw invalidInputError('/pull', 'must be omitted, because this feed is not polled');
    return undefined;
  }
  const interval = input.intervalMinutes ?? before?.intervalMinutes ?? pull.intervalMinutes;
  const settings: FeedPullSettings = {
    intervalMinutes: checkInteger(interval, '/pull/intervalMinutes', {
      min: pull.intervalMinutesMin,
      max: intervalMinutesMax,
    }),
    patterns: parsePatterns(input.patterns ?? before?.patterns ?? ['*']),
    archivesFiles: input.archivesFiles ?? before?.archivesFiles ?? false,
  };
  for (const name of ['host', 'folder', 'hostKeyFingerprint', 'providerAccountId'] as const) {
    const text = input[name] === undefined ? before?.[name] : input[name];
    if (text != null && text !== '') settings[name] = textParsers[name](text, `/pull/${name}`);
  }
  const port = input.port ?? before?.port;
  if (port !== undefined) settings.port = checkInteger(port, '/pull/port', { min: 1, max: 65_535 });
  const missing = pull.requiredSettings.find((name) => settings[name] === undefined);
  if (missing) throw invalidInputError(`/pull/${missing}`, 'is required for this kind of feed');
  // Each server has its own host key, so the key of a new server must be approved.
  if (
    before &&
    (settings.host !== before.host || settings.port !== before.port) &&
    input.hostKeyFingerprint == null
  )
    delete settings.hostKeyFingerprint;
  return settings;
}

const textParsers = {
  host: (text: string, path: string) =>
    matchText(
      text,
      path,
      /^[A-Za-z0-9.:_-]{1,253}$/,
      'a host name of at most 253 characters, or an IP address',
    ),
  folder: (text: string, path: string) => checkText(text, path, 500),
  hostKeyFingerprint: (text: string, path: string) =>
    matchText(
      text,
      path,
      /^SHA256:[A-Za-z0-9+/]{43}$/,
      'a SHA-256 fingerprint, such as the output of ssh-keygen -l',
    ),
  providerAccountId: (text: string, path: string) =>
    matchText(
      text,
      path,
      /^[A-Za-z0-9_-]{1,100}$/,
      'an ID of at most 100 letters, digits, hyphens and underscores',
    ),
};

function matchText(text: string, path: string, pattern: RegExp, title: string): string {
  if (!pattern.test(text.trim())) throw invalidInputError(path, `must be ${title}`);
  return text.trim();
}

/** A pattern selects files in one folder, so it contains no slash. */
function parsePatterns(patterns: readonly string[]): string[] {
  if (patterns.length === 0 || patterns.length > patternsMax)
    throw invalidInputError('/pull/patterns', `must have 1 to ${patternsMax} entries`);
  return patterns.map((pattern, i) => {
    if (!/^[^/\\\0]{1,100}$/.test(pattern.trim()))
      throw invalidInputError(
        `/pull/patterns/${i}`,
        'must be a file name pattern of at most 100 characters without slashes, such as *.xml',
      );
    return pattern.trim();
  });
}
