import type { SimpleGraphQLClient } from '@vendure/testing';
import graphqlTag from 'graphql-tag';
import type { RunningCauseway } from '../../causeway.ts';

/** The types declare the default export as a namespace. */
export const { gql } = graphqlTag;

// biome-ignore lint/suspicious/noExplicitAny: The documents are not typed.
export type Json = any;

export type PlacedOrder = {
  id: string;
  code: string;
  sessionId: string;
  checkoutUrl: string;
  clientToken: string;
};

/** Sells one tea in Hong Kong dollars, of which twenty are in stock. Returns the ID of its variant. */
export async function seedTea(admin: SimpleGraphQLClient): Promise<string> {
  const { channels }: Json = await admin.query(gql`{ channels { items { id } } }`);
  await admin.query(
    gql`mutation ($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on Channel { id } } }`,
    { input: { id: channels.items[0].id, defaultCurrencyCode: 'HKD', availableCurrencyCodes: ['HKD'] } },
  );
  const translations = [{ languageCode: 'en', name: 'Oolong', slug: 'oolong', description: '' }];
  const { createProduct }: Json = await admin.query(
    gql`mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`,
    { input: { translations, enabled: true } },
  );
  const variant = {
    productId: createProduct.id,
    sku: 'OOLONG',
    price: 11_850,
    stockOnHand: 20,
    trackInventory: 'TRUE',
    translations: [{ languageCode: 'en', name: 'Oolong' }],
  };
  const { createProductVariants }: Json = await admin.query(
    gql`mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`,
    { input: [variant] },
  );
  return createProductVariants[0].id;
}

const addPayment = gql`mutation ($metadata: JSON!) {
  addPaymentToOrder(input: { method: "causeway", metadata: $metadata }) {
    __typename
    ... on Order { id code state payments { state metadata } }
    ... on PaymentDeclinedError { paymentErrorMessage }
  }
}`;

export function createCustomer(
  shop: SimpleGraphQLClient,
  { variantId, causeway }: { variantId: string; causeway: RunningCauseway },
) {
  /** Returns the result of `addPaymentToOrder`. */
  const startPayment = async (metadata: object = {}): Promise<Json> => {
    await shop.asAnonymousUser();
    await shop.query(
      gql`mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }`,
      { id: variantId },
    );
    await shop.query(gql`mutation {
      setCustomerForOrder(input: { emailAddress: "${crypto.randomUUID()}@example.com", firstName: "Ada", lastName: "L" }) {
        __typename
      }
      setOrderShippingAddress(input: { streetLine1: "1 Harbour Rd", city: "Hong Kong", countryCode: "HK" }) {
        __typename
      }
    }`);
    const { eligibleShippingMethods }: Json = await shop.query(gql`{ eligibleShippingMethods { id } }`);
    await shop.query(
      gql`mutation ($id: [ID!]!) {
        setOrderShippingMethod(shippingMethodId: $id) { __typename }
        transitionOrderToState(state: "ArrangingPayment") { __typename }
      }`,
      { id: [eligibleShippingMethods[0].id] },
    );
    const { addPaymentToOrder }: Json = await shop.query(addPayment, { metadata });
    return addPaymentToOrder;
  };
  return {
    startPayment,
    order: async (): Promise<PlacedOrder> => {
      const { id, code, payments } = await startPayment();
      return { id, code, ...payments[0].metadata.public };
    },
    choosePayment: ({ sessionId, clientToken }: PlacedOrder) =>
      causeway.choosePayment(sessionId, clientToken),
  };
}

/** Reads the order as staff see it, with the outcome of its payment and its notes. */
export async function readOrder(admin: SimpleGraphQLClient, id: string): Promise<Json> {
  const { order }: Json = await admin.query(
    gql`query ($id: ID!) {
      order(id: $id) {
        state totalWithTax
        payments { id state amount metadata refunds { state total } }
        history { items { type data } }
      }
    }`,
    { id },
  );
  const { payments, history, ...rest } = order;
  const notes = history.items.filter(({ type }: Json) => type === 'ORDER_NOTE');
  return {
    ...rest,
    payments,
    payment: payments[0],
    outcome: payments[0]?.metadata.causeway?.outcome,
    notes: notes.map(({ data }: Json) => data.note),
  };
}

const transition = gql`mutation ($id: ID!, $state: String!) {
  transitionOrderToState(id: $id, state: $state) { __typename ... on Order { state } }
}`;

/** Adds a surcharge of 20.00 to the order as staff, for which the order needs another payment. */
export async function addSurcharge(admin: SimpleGraphQLClient, id: string): Promise<void> {
  await startModification(admin, id);
  await admin.query(
    gql`mutation ($input: ModifyOrderInput!) { modifyOrder(input: $input) { __typename ... on Order { id } } }`,
    {
      input: {
        dryRun: false,
        orderId: id,
        surcharges: [{ description: 'Gift box', price: 2_000, priceIncludesTax: true, taxRate: 0 }],
      },
    },
  );
  await admin.query(transition, { id, state: 'ArrangingAdditionalPayment' });
}

export const startModification = (admin: SimpleGraphQLClient, id: string): Promise<Json> =>
  admin.query(transition, { id, state: 'Modifying' });

/** Returns how many teas are allocated to orders. */
export async function readAllocated(admin: SimpleGraphQLClient, variantId: string): Promise<number> {
  const { productVariant }: Json = await admin.query(
    gql`query ($id: ID!) { productVariant(id: $id) { stockLevels { stockAllocated } } }`,
    { id: variantId },
  );
  return productVariant.stockLevels[0].stockAllocated;
}
