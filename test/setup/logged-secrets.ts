/**
 * Scans the logs of services that tests start, at the most detailed level: a secret or a customer’s address
 * fails the file whose tests logged it.
 */

/** Patterns of secrets, by name. */
const forbidden: Record<string, RegExp> = {
  'an API secret': /\bcs_(?:live|test)_[\w-]{20,}/,
  'a signing secret': /\bwhsec_[\w+/=-]{20,}/,
  credentials: /\b(?:basic|bearer) +[\w.~+/=-]{24,}/i,
  'a cookie': /\bcauseway[_-](?:session|browser|made_\w+)=[\w-]{20,}/,
  'a token of a page or client': /\b[a-z]{2,5}_\w{10,}\.[\w-]{43}\b/,
  'a token in a query': /\b(?:cancelToken|charge|confirm|token)=[\w.-]{20,}/i,
  'a link of a mail': /\/dashboard\/[\w-]+#[\w-]{20,}/,
  'a private key': /PRIVATE KEY/,
  'a hash of a password': /\$argon2/,
  'a database’s password': /\bpostgres(?:ql)?:\/\/[^\s:@/]+:[^\s@/]+@/,
  'the secret of the tests': /the secret of the tests/,
  'a password of the tests': /correct horse battery staple|tea leaves at dawn/,
  'an address of a customer': /\w@example\.com/i,
};

export function findSecrets(text: string): string[] {
  return Object.entries(forbidden)
    .filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);
}

const findings: string[] = [];

export function scanLog(text: string): void {
  const secrets = findSecrets(text);
  if (secrets.length > 0) findings.push(`${secrets.join(', ')}: ${text}`);
}

/** Throws if secrets have been logged since the last call. */
export function failOnLoggedSecrets(): void {
  const lines = findings.splice(0);
  if (lines.length > 0) throw new Error(`The log contains secrets:\n${lines.slice(0, 5).join('\n')}`);
}

/** Returns a function that scans the output of a process line by line. */
export function createLineScanner(): (chunk: unknown) => void {
  let incompleteLine = '';
  return (chunk) => {
    const lines = `${incompleteLine}${chunk}`.split('\n');
    incompleteLine = lines.pop() ?? '';
    for (const line of lines) scanLog(line);
  };
}
