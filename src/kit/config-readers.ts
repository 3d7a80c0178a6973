import { isIP } from 'node:net';
import { isDatabaseUrl, requiresPrimary } from './database-hosts.ts';
import { isIpRange } from './ip-ranges.ts';
import { parseMailbox, parseSmtpUrl } from './smtp-url.ts';

/** The names of address ranges that TRUST_PROXY accepts. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Creates readers for individual environment variables. A reader that finds an invalid value records an error and still
 * returns a value of the right type, so that all errors are reported together.
 */
export function createReaders(env: NodeJS.ProcessEnv) {
  const errors: string[] = [];
  const readText = (name: string): string | undefined => env[name]?.trim() || undefined;
  const reportError = (name: string, rule: string) => {
    errors.push(`${name} ${rule}`);
  };

  return {
    read: {
      ...createValueReaders(readText, reportError),
      ...createNetworkReaders(readText, reportError),
      ...createServiceReaders(readText, reportError),
    },
    errors,
  };
}

type VariableReader = (name: string) => string | undefined;
type ErrorReporter = (name: string, rule: string) => void;

function createValueReaders(readText: VariableReader, reportError: ErrorReporter) {
  return {
    text: readText,

    integer(name: string, defaultValue: number, range: { min: number; max: number }): number {
      const value = readText(name);
      if (value === undefined) return defaultValue;
      const number = Number(value);
      if (/^\d+$/.test(value) && number >= range.min && number <= range.max) return number;
      reportError(name, `must be an integer from ${range.min} to ${range.max}, not ${JSON.stringify(value)}`);
      return defaultValue;
    },

    fraction(name: string, defaultValue: number): number {
      const value = readText(name);
      if (value === undefined) return defaultValue;
      if (/^(?:0|1|0?\.\d+|1\.0+)$/.test(value)) return Number(value);
      reportError(name, 'must be a number from 0 to 1');
      return defaultValue;
    },

    flag(name: string, defaultValue: boolean): boolean {
      const value = readText(name)?.toLowerCase();
      if (value === undefined) return defaultValue;
      if (['true', '1', 'yes', 'on'].includes(value)) return true;
      if (!['false', '0', 'no', 'off'].includes(value)) reportError(name, 'must be true or false');
      return false;
    },

    choice<T extends string>(name: string, choices: readonly T[], defaultValue: T): T {
      const value = readText(name);
      if (value === undefined) return defaultValue;
      const choice = choices.find((option) => option === value);
      if (choice === undefined) reportError(name, `must be one of ${choices.join(', ')}`);
      return choice ?? defaultValue;
    },

    secret(name: string, minLength: number): string | undefined {
      const value = readText(name);
      if (value !== undefined && value.length < minLength)
        reportError(name, `must be at least ${minLength} characters long`);
      return value;
    },
  };
}

function createNetworkReaders(readText: VariableReader, reportError: ErrorReporter) {
  const readList = (name: string): string[] => readText(name)?.split(/[\s,]+/) ?? [];
  const url = (name: string, protocols: string[]): string | undefined => {
    const value = readText(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    reportError(name, `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  };
  return {
    url,

    urls(name: string): string[] {
      const isUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);
      if (!readList(name).every(isUrl)) reportError(name, 'must be http(s) URLs separated by spaces');
      return readList(name).filter(isUrl);
    },

    host(name: string, defaultValue: string): string {
      const value = readText(name);
      if (value === undefined) return defaultValue;
      if (isIP(value) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value)) return value;
      reportError(name, 'must be an IP address or a host name, without a port');
      return defaultValue;
    },

    ipAddresses(name: string): string[] {
      if (!readList(name).every((text) => namedRanges.includes(text) || isIpRange(text)))
        reportError(name, `must be IP addresses or ranges such as 10.0.0.0/8, or ${namedRanges.join(', ')}`);
      return readList(name);
    },

    origin(name: string): string | undefined {
      const value = url(name, ['http:', 'https:']);
      if (value === undefined) return undefined;
      const { pathname, search, username, origin } = new URL(value);
      if (pathname !== '/' || search !== '' || username !== '')
        reportError(name, 'must be an origin without a path');
      return origin;
    },
  };
}

/**
 * Creates readers for external services (databases, SMTP). Error messages omit the values, which may contain passwords.
 */
function createServiceReaders(readText: VariableReader, reportError: ErrorReporter) {
  return {
    databaseUrl(name: string): string | undefined {
      const value = readText(name);
      if (value === undefined || isDatabaseUrl(value)) return value;
      reportError(
        name,
        'must be a URL that begins with postgres:// or postgresql://; list several hosts as host1:5432,host2:5432 and without target_session_attrs other than read-write',
      );
      return undefined;
    },

    standbyUrl(name: string): string | undefined {
      const value = readText(name);
      if (value === undefined || (isDatabaseUrl(value) && !requiresPrimary(value))) return value;
      reportError(
        name,
        'must be a URL that begins with postgres:// or postgresql:// and lists the standbys as host1:5432,host2:5432, without target_session_attrs',
      );
      return undefined;
    },

    /**
     * Reads a MongoDB URL. Checks only its scheme, because it may list several hosts, which `URL` cannot parse. The
     * driver validates the rest.
     */
    mongodb(name: string): string | undefined {
      const value = readText(name);
      if (value === undefined || /^mongodb(?:\+srv)?:\/\/./.test(value)) return value;
      reportError(name, 'must be a URL that begins with mongodb:// or mongodb+srv://');
      return undefined;
    },

    smtpServer(name: string): string | undefined {
      const value = readText(name);
      if (value === undefined || parseSmtpUrl(value)) return value;
      reportError(
        name,
        'must be smtps://… or smtp://user:password@host:port (user and password percent-encoded), with ?tls=none to disable TLS',
      );
      return undefined;
    },

    mailbox(name: string): string | undefined {
      const value = readText(name);
      if (value === undefined || parseMailbox(value)) return value;
      reportError(name, 'must be an email address, or Name <address>');
      return undefined;
    },
  };
}
