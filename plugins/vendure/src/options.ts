import { Causeway } from 'causeway-client';

export type CausewayPluginOptions = {
  /** The address of the Causeway service. */
  url: string;
  /** An API key with the permissions `read`, `write` and `refund`, and its secret. */
  apiKey: string;
  apiSecret: string;
  /** The signing secret of the webhook, `whsec_…`; two during a rotation. */
  webhookSecret: string | string[];
  /** The address of the storefront. Customers return to it, and `returnUrl` must be on it. */
  storefrontUrl: string;
  /** The payment methods to offer, such as `fps`. By default, all of your methods. */
  methods?: string[];
  /** The time in which the customer can start the payment. By default, 24 hours. */
  expiresInMinutes?: number;
};

const required = ['url', 'apiKey', 'apiSecret', 'webhookSecret', 'storefrontUrl'] as const;

/** The options, and a client with them. */
export type Connection = { options: CausewayPluginOptions; causeway: Causeway };

let connection: Connection | undefined;

export function configure(options: CausewayPluginOptions): void {
  const missing = required.filter((name) => !options[name]?.toString());
  if (missing.length > 0) throw new Error(`CausewayPlugin needs ${missing.join(', ')}`);
  for (const name of ['url', 'storefrontUrl'] as const)
    if (!URL.canParse(options[name])) throw new Error(`CausewayPlugin: ${name} must be a URL`);
  const { url, apiKey, apiSecret } = options;
  connection = { options, causeway: new Causeway({ url, key: apiKey, secret: apiSecret }) };
}

/** Payment handlers are created before the plugin is configured. */
export function getConnection(): Connection {
  if (!connection) throw new Error('Call CausewayPlugin.init');
  return connection;
}
