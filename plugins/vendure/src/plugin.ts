import {
  type PaymentOptions,
  PluginCommonModule,
  ScheduledTask,
  type Type,
  VendurePlugin,
} from '@vendure/core';
import { causewayPaymentHandler } from './handler.ts';
import { type CausewayPluginOptions, configure } from './options.ts';
import { readRawBody } from './raw-body.ts';
import { SettleService } from './settle.service.ts';
import { WebhookController, webhookPath } from './webhook.controller.ts';

/** Settles all open payments, because notifications can be lost. */
export const reconcileTask = new ScheduledTask({
  id: 'reconcile-causeway',
  description: 'Reads the open payments of Causeway again',
  schedule: (cron) => cron.every(10).minutes(),
  timeout: '10m',
  execute: ({ injector }) => injector.get(SettleService).reconcile(),
});

/** Vendure changes the state of a new refund to the one that the handler returns, even from pending to pending. */
const pendingRefundProcess: NonNullable<PaymentOptions['refundProcess']>[number] = {
  transitions: { Pending: { to: ['Pending'], mergeStrategy: 'merge' } },
};

@VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [WebhookController],
  providers: [SettleService],
  compatibility: '^3.7.3',
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(causewayPaymentHandler);
    config.paymentOptions.refundProcess = [
      ...(config.paymentOptions.refundProcess ?? []),
      pendingRefundProcess,
    ];
    config.schedulerOptions.tasks.push(reconcileTask);
    config.apiOptions.middleware.push({ route: `/${webhookPath}`, handler: readRawBody, beforeListen: true });
    return config;
  },
})
// biome-ignore lint/complexity/noStaticOnlyClass: Vendure's plugins are classes.
export class CausewayPlugin {
  static init(options: CausewayPluginOptions): Type<CausewayPlugin> {
    configure(options);
    return CausewayPlugin;
  }
}
