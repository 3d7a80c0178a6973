import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import type { RunningCauseway } from '../../causeway.ts';
import type { seedShop } from './seed-shop.ts';

// biome-ignore lint/suspicious/noExplicitAny: Medusa has no types of its responses.
export type Json = any;

export type PaymentSession = {
  id: string;
  data: { causeway_session_id: string; checkout_url: string; client_token: string };
};

type Shop = Awaited<ReturnType<typeof seedShop>>;
type Api = { post(path: string, body: object, options: { headers: object }): Promise<{ data: Json }> };

/** The HTTP requests of a storefront and of the admin. */
export function createCustomer({
  api,
  shop,
  choosePayment,
}: {
  api: Api;
  shop: () => Shop;
  choosePayment: RunningCauseway['choosePayment'];
}) {
  const post = async (path: string, body: object = {}): Promise<Json> =>
    (await api.post(path, body, { headers: { 'x-publishable-api-key': shop().publishableKey } })).data;
  const addTea = (cartId: string) =>
    post(`/store/carts/${cartId}/line-items`, { variant_id: shop().variantId, quantity: 1 });
  const createSession = async (cartId: string, data: object = {}): Promise<PaymentSession> => {
    const { payment_collection } = await post('/store/payment-collections', { cart_id: cartId });
    return addSession(payment_collection.id, data);
  };
  const addSession = async (collectionId: string, data: object = {}): Promise<PaymentSession> => {
    const path = `/store/payment-collections/${collectionId}/payment-sessions`;
    const body = await post(path, { provider_id: 'pp_causeway_causeway', data });
    return body.payment_collection.payment_sessions[0];
  };
  const startPayment = async () => {
    const address = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      address_1: '1 Harbour Rd',
      city: 'Hong Kong',
    };
    const shippingAddress = { ...address, country_code: 'hk' };
    const cartInput = {
      region_id: shop().regionId,
      email: 'ada@example.com',
      shipping_address: shippingAddress,
    };
    const { cart } = await post('/store/carts', cartInput);
    await addTea(cart.id);
    await post(`/store/carts/${cart.id}/shipping-methods`, { option_id: shop().shippingOptionId });
    return { cartId: cart.id as string, session: await createSession(cart.id) };
  };
  const complete = (cartId: string) => post(`/store/carts/${cartId}/complete`);
  /** Places the order before paying for it, as the README recommends. */
  const order = async () => {
    const { cartId, session } = await startPayment();
    const { order: placed } = await complete(cartId);
    return { cartId, session, orderId: placed.id as string };
  };
  const asAdmin = async (container: MedusaContainer, path: string, body: object = {}) => {
    const [user] = await container
      .resolve(Modules.USER)
      .createUsers([{ email: `${crypto.randomUUID()}@example.com` }]);
    const [key] = await container
      .resolve(Modules.API_KEY)
      .createApiKeys([{ title: 'Admin', type: 'secret', created_by: user!.id }]);
    return (await api.post(path, body, { headers: { authorization: `Basic ${btoa(`${key!.token}:`)}` } }))
      .data;
  };
  return {
    addTea,
    createSession,
    startPayment,
    complete,
    order,
    choosePayment: ({ data }: PaymentSession) => choosePayment(data.causeway_session_id, data.client_token),
    asAdmin,
    /** Adds a tea to the order as staff, and starts the payment that the order then needs. */
    startAdditionalPayment: async (container: MedusaContainer, orderId: string): Promise<PaymentSession> => {
      await asAdmin(container, '/admin/order-edits', { order_id: orderId });
      const items = [{ variant_id: shop().variantId, quantity: 1 }];
      await asAdmin(container, `/admin/order-edits/${orderId}/items`, { items });
      await asAdmin(container, `/admin/order-edits/${orderId}/confirm`);
      const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
        entity: 'order_payment_collection',
        fields: ['payment_collection.id', 'payment_collection.status'],
        filters: { order_id: orderId },
      });
      const collections = data.map(({ payment_collection }: Json) => payment_collection);
      return addSession(collections.find(({ status }: Json) => status === 'not_paid').id);
    },
    findOrder: async (container: MedusaContainer, cartId: string): Promise<string | undefined> => {
      const query = container.resolve(ContainerRegistrationKeys.QUERY);
      const filters = { cart_id: cartId };
      const { data } = await query.graph({ entity: 'order_cart', fields: ['order_id'], filters });
      return (data as { order_id: string }[])[0]?.order_id;
    },
  };
}

/** Returns the order with the amounts of its captures and transactions as numbers. */
export async function readOrder(container: MedusaContainer, id: string): Promise<Json> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const fields = [
    'id',
    'status',
    'total',
    'metadata',
    'transactions.amount',
    'payment_collections.payments.captures.amount',
  ];
  const { data }: Json = await query.graph({ entity: 'order', fields, filters: { id } });
  const { transactions, payment_collections: collections, total, ...order } = data[0];
  const payments = collections.flatMap((collection: Json) => collection.payments ?? []);
  const captures = payments.flatMap((payment: Json) => payment.captures ?? []);
  const toAmounts = (rows: Json[]) => rows.map(({ amount }) => Number(amount));
  return {
    ...order,
    total: Number(total),
    transactions: toAmounts(transactions ?? []),
    captured: toAmounts(captures),
  };
}
