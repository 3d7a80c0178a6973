import { createHmac } from 'node:crypto';

import {
  type EventType,
  eventTypes,
  isSubscribedTo,
  subscriptionChargeEventTypes,
} from '../event/catalog.ts';
import { createWebhookHeaders } from '../notification/build-request.ts';
import { type NotifiedEvent, toNotificationBody } from '../notification/notification-body.ts';
import { signingSecretPrefix } from '../notification/sign.ts';
import { type ApiCommand, UsageError } from './command.ts';
import { connectToSandbox, readUrl } from './sandbox-api.ts';

const version = '1.0';
/** The time limit of an attempt, as for webhooks. */
const timeoutMs = 15_000;

const edgeFields = 'cursor node { id type objectId objectVersion createdAt payloadJson }';
const streamDocument = `subscription ($after: String, $filter: EventFilter!) {
  eventAdded(after: $after, filter: $filter) { ${edgeFields} }
}`;

type ListenVariables = { after: string | null; filter: { types: EventType[] } };
type StreamedEvent = Omit<NotifiedEvent, 'merchantId' | 'payload' | 'createdAt'> & {
  createdAt: string;
  payloadJson: string;
};
type ListenedEvent = { eventAdded: { cursor: string; node: StreamedEvent } };

type Target = { url: URL; username: string; password: string; signingSecret: string };

/** Forwards the events of the sandbox to a server as webhooks, until it is interrupted. */
export const listenCommand: ApiCommand = {
  async runOverApi({ options, env, signal, onProgress }) {
    const types = readTypes(options.events);
    const { client, merchantId, cursor: lastCursor } = await connectToSandbox(options, env, signal);
    const target = readTarget(options, env);
    const after = options.after === undefined ? lastCursor : String(options.after);
    onProgress(`Signing secret: ${target.signingSecret}`);
    const events = after === null ? 'new events' : `the events after ${after}`;
    onProgress(`Forwarding ${events} to ${target.url.href}; press Ctrl-C to stop`);
    const summary = { cursor: after, delivered: 0, failed: 0 };
    const stream = client.subscribe<ListenedEvent, ListenVariables>(
      streamDocument,
      { after, filter: { types } },
      {
        signal,
        resume: ({ eventAdded }, variables) => ({ ...variables, after: eventAdded.cursor }),
        onDisconnect: (error) => onProgress(`Reconnecting: ${error?.message ?? 'the stream ended'}`),
      },
    );
    try {
      for await (const { eventAdded } of stream) {
        const { cursor, node } = eventAdded;
        summary.cursor = cursor;
        const event = {
          ...node,
          merchantId,
          payload: node.payloadJson,
          createdAt: new Date(node.createdAt),
        };
        if (!isReceivedByWebhooks(event)) continue;
        const { text, isDelivered } = await forward(event, target);
        summary[isDelivered ? 'delivered' : 'failed'] += 1;
        onProgress(`${cursor} ${event.type} ${event.id} ${text}`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const { cursor, delivered, failed } = summary;
    const continuation = cursor === null ? '' : `. Continue with --after ${cursor}`;
    return { json: summary, text: `Delivered ${delivered} events, ${failed} failed${continuation}` };
  },
};

function readTarget(options: Record<string, string | boolean | undefined>, env: NodeJS.ProcessEnv): Target {
  return {
    url: readUrl('forward-to', options['forward-to']!),
    username: String(options.username ?? 'causeway'),
    password: env.CAUSEWAY_WEBHOOK_PASSWORD ?? '',
    signingSecret: env.CAUSEWAY_SIGNING_SECRET ?? deriveSigningSecret(env.CAUSEWAY_API_SECRET!),
  };
}

/** The same key always has the same signing secret, so that a server needs to be configured only once. */
function deriveSigningSecret(apiSecret: string): string {
  return `${signingSecretPrefix}${createHmac('sha256', apiSecret).update('causeway listen').digest('base64')}`;
}

function readTypes(option: string | boolean | undefined): EventType[] {
  const all = Object.keys(eventTypes) as EventType[];
  const received = all.filter((type) => isSubscribedTo({ version, eventTypes: [] }, type));
  if (option === undefined) return received;
  const types = String(option).split(',') as EventType[];
  const unknown = types.find((type) => !received.includes(type));
  if (unknown !== undefined)
    throw new UsageError(`--events has an unknown type: ${unknown}. The types are ${received.join(', ')}`);
  return types;
}

function isReceivedByWebhooks({ type, payload }: NotifiedEvent): boolean {
  return !subscriptionChargeEventTypes.has(type) || Boolean(JSON.parse(payload).subscriptionId);
}

async function forward(
  event: NotifiedEvent,
  { url, username, password, signingSecret }: Target,
): Promise<{ text: string; isDelivered: boolean }> {
  const body = toNotificationBody(event, { version });
  const credentials = { username, password, signingSecrets: [signingSecret] };
  const headers = createWebhookHeaders({ id: event.id, body, sentAt: new Date(), credentials });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.arrayBuffer();
    return { text: String(response.status), isDelivered: response.ok };
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    return { text: (cause as Error).message, isDelivered: false };
  }
}
