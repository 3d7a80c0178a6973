import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules, ProductStatus } from '@medusajs/framework/utils';
import {
  createApiKeysWorkflow,
  createInventoryLevelsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} from '@medusajs/medusa/core-flows';

/** Creates a shop in Hong Kong that sells one tea, of which ten are in stock. */
export async function seedShop(container: MedusaContainer) {
  const [channel] = (
    await createSalesChannelsWorkflow(container).run({ input: { salesChannelsData: [{ name: 'Web' }] } })
  ).result;
  const [key] = (
    await createApiKeysWorkflow(container).run({
      input: { api_keys: [{ title: 'Web', type: 'publishable', created_by: '' }] },
    })
  ).result;
  await linkSalesChannelsToApiKeyWorkflow(container).run({ input: { id: key!.id, add: [channel!.id] } });
  const [region] = (
    await createRegionsWorkflow(container).run({
      input: {
        regions: [
          {
            name: 'Hong Kong',
            currency_code: 'hkd',
            countries: ['hk'],
            payment_providers: ['pp_causeway_causeway'],
          },
        ],
      },
    })
  ).result;
  const { shippingOptionId, profileId, locationId } = await seedShipping(container, channel!.id, region!.id);
  const [product] = (
    await createProductsWorkflow(container).run({
      input: {
        products: [
          {
            title: 'Oolong',
            status: ProductStatus.PUBLISHED,
            options: [{ title: 'Size', values: ['100 g'] }],
            variants: [
              {
                title: '100 g',
                sku: 'OOLONG',
                options: { Size: '100 g' },
                prices: [{ amount: 118.5, currency_code: 'hkd' }],
              },
            ],
            sales_channels: [{ id: channel!.id }],
            shipping_profile_id: profileId,
          },
        ],
      },
    })
  ).result;
  const inventory = container.resolve(Modules.INVENTORY);
  const [item] = await inventory.listInventoryItems({ sku: 'OOLONG' });
  await createInventoryLevelsWorkflow(container).run({
    input: {
      inventory_levels: [{ inventory_item_id: item!.id, location_id: locationId, stocked_quantity: 10 }],
    },
  });
  return {
    publishableKey: key!.token,
    regionId: region!.id,
    variantId: product!.variants[0]!.id,
    shippingOptionId,
    inventoryItemId: item!.id,
    locationId,
  };
}

async function seedShipping(container: MedusaContainer, channelId: string, regionId: string) {
  const [location] = (
    await createStockLocationsWorkflow(container).run({ input: { locations: [{ name: 'Warehouse' }] } })
  ).result;
  await linkSalesChannelsToStockLocationWorkflow(container).run({
    input: { id: location!.id, add: [channelId] },
  });
  const [profile] = (
    await createShippingProfilesWorkflow(container).run({
      input: { data: [{ name: 'Default', type: 'default' }] },
    })
  ).result;
  const fulfillmentSet = await container.resolve(Modules.FULFILLMENT).createFulfillmentSets({
    name: 'Delivery',
    type: 'shipping',
    service_zones: [{ name: 'Hong Kong', geo_zones: [{ type: 'country', country_code: 'hk' }] }],
  });
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  await link.create([
    {
      [Modules.STOCK_LOCATION]: { stock_location_id: location!.id },
      [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' },
    },
    {
      [Modules.STOCK_LOCATION]: { stock_location_id: location!.id },
      [Modules.FULFILLMENT]: { fulfillment_set_id: fulfillmentSet.id },
    },
  ]);
  const [option] = (
    await createShippingOptionsWorkflow(container).run({
      input: [
        {
          name: 'Courier',
          price_type: 'flat',
          provider_id: 'manual_manual',
          service_zone_id: fulfillmentSet.service_zones[0]!.id,
          shipping_profile_id: profile!.id,
          type: { label: 'Courier', description: 'Two days', code: 'courier' },
          prices: [{ region_id: regionId, amount: 10 }],
        },
      ],
    })
  ).result;
  return { shippingOptionId: option!.id, profileId: profile!.id, locationId: location!.id };
}
