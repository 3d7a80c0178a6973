export {
  createTestCertificate,
  type SignCallbackOptions,
  signCallback,
  type VerifyCallbackOptions,
  verifyCallback,
} from './callback.ts';
export { Causeway, type IterateOptions } from './client.ts';
export {
  CausewayError,
  type CausewayErrorCode,
  type CausewayErrorDetails,
  type ClientErrorCode,
  type InvalidInput,
} from './error.ts';
export type { EventLogOptions, LoggedEvent } from './event-log.ts';
export type {
  CallbackEvent,
  EventPayload,
  EventType,
  WebhookEvent,
} from './events.ts';
export { apiVersion, errorStatuses, eventObjects } from './generated/catalog.ts';
export type * as Graphql from './generated/graphql.ts';
export type * from './generated/rest.ts';
export type { Document, GraphqlOptions, TypedDocument } from './graphql.ts';
export type { SubscribeOptions } from './live.ts';
export type { Connection } from './pages.ts';
export {
  type CallbackReceiver,
  type Receiver,
  receive,
  receiveRequest,
  type WebhookReceiver,
} from './receive.ts';
export type { RawBody, ReceivedNotification, RequestHeaders } from './request.ts';
export type { CallOptions, CreateOptions, NewTransfer } from './rest.ts';
export type { Credentials, RequestOptions, TransportOptions } from './transport.ts';
export {
  type SignedRequest,
  type SignWebhookOptions,
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookCredentials,
} from './webhook.ts';
