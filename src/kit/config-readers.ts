import { isIP } from 'node:net';
import { parseMailbox, parseSmtpUrl } from './smtp-url.ts';

/** Names of address ranges that TRUST_PROXY may use for the ranges themselves. */
const addressRanges = ['loopback', 'linklocal', 'uniquelocal'];

/** Readers of single variables; each pushes its fault and answers with a harmless value, so that all are reported. */
export function readers(env: NodeJS.ProcessEnv) {
  const faults: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const fault = (name: string, rule: string) => {
    faults.push(`${name} ${rule}`);
  };

  return {
    read: { ...valueReaders(text, fault), ...addressReaders(text, fault), ...serverReaders(text, fault) },
    faults,
  };
}

type Text = (name: string) => string | undefined;
type Fault = (name: string, rule: string) => void;

function valueReaders(text: Text, fault: Fault) {
  return {
    text,

    integer(name: string, preset: number, range: { min: number; max: number }): number {
      const value = text(name);
      if (value === undefined) return preset;
      const number = Number(value);
      if (/^\d+$/.test(value) && number >= range.min && number <= range.max) return number;
      fault(name, `must be an integer from ${range.min} to ${range.max}, not ${JSON.stringify(value)}`);
      return preset;
    },

    share(name: string, preset: number): number {
      const value = text(name);
      if (value === undefined) return preset;
      if (/^(?:0|1|0?\.\d+|1\.0+)$/.test(value)) return Number(value);
      fault(name, 'must be a number from 0 to 1');
      return preset;
    },

    flag(name: string, preset: boolean): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return preset;
      if (['true', '1', 'yes', 'on'].includes(value)) return true;
      if (!['false', '0', 'no', 'off'].includes(value)) fault(name, 'must be true or false');
      return false;
    },

    choice<T extends string>(name: string, choices: readonly T[], preset: T): T {
      const value = text(name);
      if (value === undefined) return preset;
      const choice = choices.find((one) => one === value);
      if (choice === undefined) fault(name, `must be one of ${choices.join(', ')}`);
      return choice ?? preset;
    },

    secret(name: string, minLength: number): string | undefined {
      const value = text(name);
      if (value !== undefined && value.length < minLength)
        fault(name, `must be at least ${minLength} characters long`);
      return value;
    },
  };
}

function addressReaders(text: Text, fault: Fault) {
  const words = (name: string): string[] => text(name)?.split(/[\s,]+/) ?? [];
  const url = (name: string, protocols: string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    fault(name, `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  };
  return {
    url,

    urls(name: string): string[] {
      const isUrl = (word: string) => /^https?:\/\//.test(word) && URL.canParse(word);
      if (!words(name).every(isUrl)) fault(name, 'must be http(s) URLs separated by spaces');
      return words(name).filter(isUrl);
    },

    host(name: string, preset: string): string {
      const value = text(name);
      if (value === undefined) return preset;
      if (isIP(value) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value)) return value;
      fault(name, 'must be an IP address or a host name, without a port');
      return preset;
    },

    addresses(name: string): string[] {
      if (!words(name).every(isAddress))
        fault(name, `must be IP addresses or ranges such as 10.0.0.0/8, or ${addressRanges.join(', ')}`);
      return words(name);
    },

    origin(name: string): string | undefined {
      const value = url(name, ['http:', 'https:']);
      if (value === undefined) return undefined;
      const { pathname, search, username, origin } = new URL(value);
      if (pathname !== '/' || search !== '' || username !== '')
        fault(name, 'must be an origin without a path');
      return origin;
    },
  };
}

/** Of servers that the service works with: their addresses hold passwords, and are not repeated. */
function serverReaders(text: Text, fault: Fault) {
  return {
    /** Its addresses may be several, which no URL can say: what is behind the beginning is for the driver to judge. */
    mongodb(name: string): string | undefined {
      const value = text(name);
      if (value === undefined || /^mongodb(?:\+srv)?:\/\/./.test(value)) return value;
      fault(name, 'must be a URL that begins with mongodb:// or mongodb+srv://');
      return undefined;
    },

    smtpServer(name: string): string | undefined {
      const value = text(name);
      if (value === undefined || parseSmtpUrl(value)) return value;
      fault(
        name,
        'must be smtps://… or smtp://user:password@host:port (both percent-encoded), with ?tls=none to disable TLS',
      );
      return undefined;
    },

    mailbox(name: string): string | undefined {
      const value = text(name);
      if (value === undefined || parseMailbox(value)) return value;
      fault(name, 'must be an email address, or Name <address>');
      return undefined;
    },
  };
}

function isAddress(word: string): boolean {
  if (addressRanges.includes(word)) return true;
  const [address = '', bits, ...rest] = word.split('/');
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    bitsMax > 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= bitsMax))
  );
}
