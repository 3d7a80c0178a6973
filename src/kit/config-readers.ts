import { isIP } from 'node:net';
import { parseMailbox, parseSmtpUrl } from './smtp-url.ts';

/** Named address ranges that TRUST_PROXY accepts. */
const addressRanges = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Creates readers for single variables. An invalid value adds an error and returns a harmless default, so
 * that all errors are reported at once.
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
      ...createAddressReaders(readText, reportError),
      ...createServerReaders(readText, reportError),
    },
    faults: errors,
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

    share(name: string, defaultValue: number): number {
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
      const choice = choices.find((one) => one === value);
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

function createAddressReaders(readText: VariableReader, reportError: ErrorReporter) {
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

    addresses(name: string): string[] {
      if (!readList(name).every(isAddress))
        reportError(
          name,
          `must be IP addresses or ranges such as 10.0.0.0/8, or ${addressRanges.join(', ')}`,
        );
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
 * Readers for the URLs of external servers. Error messages omit the values because they contain passwords.
 */
function createServerReaders(readText: VariableReader, reportError: ErrorReporter) {
  return {
    /**
     * A MongoDB URL may list several hosts, which `URL` cannot parse. Only the scheme is checked; the driver
     * validates the rest.
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
        'must be smtps://… or smtp://user:password@host:port (both percent-encoded), with ?tls=none to disable TLS',
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

function isAddress(text: string): boolean {
  if (addressRanges.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    bitsMax > 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax))
  );
}
