import type { Config } from '../kit/config.ts';
import { getScheme } from '../method/schemes.ts';
import type { Demo } from './ensure-demo.ts';

/**
 * Formats the text that the service prints when it is ready: its URLs and, for the demo, keys and commands to
 * paste.
 */
export function formatWelcome(options: {
  config: Config;
  address: string | undefined;
  demo: Demo | undefined;
  seconds: number;
}): string {
  const { config, address, demo, seconds } = options;
  const ready = `Causeway is ready after ${seconds.toFixed(1)} s`;
  if (address === undefined) {
    return ['', `${ready}: worker only`, ...formatMailWarning(config), ''].join('\n');
  }
  const { publicUrl } = config;
  const lines = [
    '',
    `${ready}: ${address}`,
    '',
    `  Dashboard      ${publicUrl}/dashboard`,
    `  GraphiQL       ${publicUrl}/graphql`,
    `  API reference  ${publicUrl}/docs`,
    ...(demo
      ? formatDemo(publicUrl, demo)
      : [
          '',
          '  Create a merchant: npm run --silent causeway -- merchant create --name "My shop" --email YOUR_EMAIL',
        ]),
    ...formatMailWarning(config),
    '',
  ];
  return lines.join('\n');
}

/** Returns a warning if no mail server is configured, because password reset links are then not delivered. */
function formatMailWarning({ smtpUrl, demo }: Config): string[] {
  if (smtpUrl !== undefined || demo) return [];
  return [
    '',
    'SMTP_URL is not set, so no email is delivered, including invitations and password reset links.',
    'Owners can read them in the dashboard under Outgoing messages. Operators can reset a password with "user reset EMAIL".',
  ];
}

/** Returns the addresses, the sign-in and the keys of the demo, and commands to paste. */
export function formatDemo(publicUrl: string, demo: Demo): string[] {
  return [
    `  Checkout       ${publicUrl}/checkout?apiKey=${demo.live.publishableKey}&amount=128.50&currency=HKD`,
    `  Received       ${publicUrl}/demo  (webhooks and callbacks sent to the demo)`,
    '',
    'Demo merchant. Its receiving accounts are fictional: do not send money to them.',
    '',
    `  Dashboard      ${demo.email}  ${demo.password}`,
    `  Live           ${demo.live.apiKey}`,
    `                 ${demo.live.apiSecret}`,
    `                 ${demo.live.publishableKey}`,
    `  Sandbox        ${demo.sandbox.apiKey}`,
    `                 ${demo.sandbox.apiSecret}`,
    `                 ${demo.sandbox.publishableKey}`,
    '',
    'Try a charge from start to finish. Paste these lines:',
    '',
    ...formatWalkthrough(publicUrl, demo).map((line) => `  ${line}`),
  ];
}

/**
 * Returns shell commands that create a charge, record its transfer, and show the charge and the received
 * notifications. They need only a shell, curl, sed and date.
 */
function formatWalkthrough(publicUrl: string, demo: Demo): string[] {
  const { apiKey, apiSecret } = demo.live;
  const scheme = getScheme('fps');
  const account = scheme.getAccount(scheme.parseDetails(scheme.demoDetails));
  const json = `-H 'content-type: application/json'`;
  return [
    `AUTH='${apiKey}:${apiSecret}'; URL='${publicUrl}'`,
    `CHARGE=$(curl -s -u "$AUTH" $URL/charges ${json} -d '{"email":"ada@example.com","merchantAmount":128.5,"merchantCurrency":"HKD","method":"fps","notifyUrl":"${publicUrl}/demo/callback"}'); echo "$CHARGE"`,
    `ID=$(echo "$CHARGE" | sed -E 's/.*"id":"(ch_[0-9a-z]+)".*/\\1/'); NONCE=$(echo "$CHARGE" | sed -E 's/.*"nonce":"([A-Z0-9]+)".*/\\1/')`,
    `curl -s -u "$AUTH" $URL/transfers ${json} -d '{"transfers":[{"id":"bank-'$NONCE'","method":"fps","account":"${account}","amount":128.5,"currency":"HKD","reference":"'$NONCE'","paidAt":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}]}'; echo`,
    `curl -s -u "$AUTH" $URL/charges/$ID; echo`,
    'curl -s "$URL/demo?charge=$ID"',
  ];
}
