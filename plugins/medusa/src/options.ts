import { ContainerRegistrationKeys, MedusaError, Modules } from '@medusajs/framework/utils';
import { Causeway } from 'causeway-client';

export type CausewayOptions = {
  /** The address of the Causeway service. */
  url: string;
  /** An API key with the permissions `read`, `write` and `refund`, and its secret. */
  apiKey: string;
  apiSecret: string;
  /** The signing secret of the webhook, `whsec_…`; two during a rotation. */
  webhookSecret: string | string[];
  /** The address of the storefront. Customers return to it, and `return_url` must be on it. */
  storefrontUrl: string;
  /** The payment methods to offer, such as `fps`. By default, all of your methods. */
  methods?: string[];
  /** How many minutes the customer has to start the payment; 1,440 (24 hours) by default. */
  expiresInMinutes?: number;
};

const required = ['url', 'apiKey', 'apiSecret', 'webhookSecret', 'storefrontUrl'] as const;

export function checkOptions(options: Record<string, unknown>): asserts options is CausewayOptions {
  const missing = required.filter((name) => !options[name]?.toString());
  if (missing.length > 0)
    throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, `causeway-medusa needs ${missing.join(', ')}`);
  for (const name of ['url', 'storefrontUrl'] as const)
    if (!URL.canParse(String(options[name])))
      throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, `causeway-medusa: ${name} must be a URL`);
}

export function createClient({ url, apiKey, apiSecret }: CausewayOptions): Causeway {
  return new Causeway({ url, key: apiKey, secret: apiSecret });
}

/** The name under which `medusa-config` lists the provider. */
const providerPath = 'causeway-medusa/providers/causeway';

type ModuleConfig = { options?: { providers?: { resolve?: unknown; id?: string; options?: object }[] } };

type ConfigContainer = {
  resolve(key: typeof ContainerRegistrationKeys.CONFIG_MODULE): { modules?: unknown };
};

/** Returns the clients of all Causeway providers of this Medusa, by provider ID, such as `pp_causeway_causeway`. */
export function createClients(container: ConfigContainer): Map<string, Causeway> {
  const { modules } = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE);
  const payment = (modules as Record<string, ModuleConfig | undefined>)[Modules.PAYMENT];
  const providers = payment?.options?.providers?.filter(({ resolve }) => resolve === providerPath) ?? [];
  return new Map(
    providers.map(({ id, options }) => [
      id ? `pp_causeway_${id}` : 'pp_causeway',
      createClient(options as CausewayOptions),
    ]),
  );
}
