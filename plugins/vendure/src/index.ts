export { causewayPaymentHandler } from './handler.ts';
export type { CausewayPluginOptions } from './options.ts';
export { CausewayPlugin, reconcileTask } from './plugin.ts';
export { type PaymentOutcome, SettleService } from './settle.service.ts';
