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
  /** How many minutes the customer has to start the payment; 1,440 (24 hours) by default. */
  expiresInMinutes?: number;
};

const required = ['url', 'apiKey', 'apiSecret', 'webhookSecret', 'storefrontUrl'] as const;

/** The plugin's options, and the client that they configure. */
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

/** Called at each use, because payment handlers are created before the plugin is configured. Throws before `init`. */
export function getConnection(): Connection {
  if (!connection) throw new Error('Call CausewayPlugin.init');
  return connection;
}
